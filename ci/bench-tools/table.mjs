// The table of ci/bench, in Markdown, from its measurements on stdin: TRANSPORT IN_FLIGHT SERVER
// KEY=VALUE…, a line each. Every number is the median of its rounds. Exit code 1 if a ratio is below
// the one that is wanted.

import { readFileSync } from 'node:fs';

const wanted = { 'stdio 64': 20, 'http 64': 5 }; // times the requests a second
const columns = [
  { title: 'requests/s', key: 'per_second', digits: 0, better: (ours, theirs) => ours / theirs },
  { title: 'p50 µs', key: 'p50_us', digits: 0 },
  { title: 'p99 µs', key: 'p99_us', digits: 0 },
  { title: 'CPU µs a request', key: 'cpu_us', digits: 1 },
  { title: 'peak memory kB', key: 'peak_kb', digits: 0 }
];
const names = { reference: 'reference server', typescript: 'TypeScript SDK' };
const less = (ours, theirs) => theirs / ours;

const loads = new Map(); // load -> server -> key -> values
for (const line of readFileSync(0, 'utf8').trim().split('\n')) {
  const [transport, inFlight, server, ...values] = line.split(' ');
  const load = `${transport} ${inFlight}`;
  if (!loads.has(load)) loads.set(load, { reference: {}, typescript: {} });
  for (const value of values) {
    const [key, number] = value.split('=');
    (loads.get(load)[server][key] ??= []).push(Number(number));
  }
}

const median = (values) => values.toSorted((a, b) => a - b)[(values.length - 1) >> 1];
const row = (cells) => console.log(`| ${cells.join(' | ')} |`);

row(['load', '', ...columns.map(({ title }) => title)]);
console.log(`|---|---|${columns.map(() => '--:|').join('')}`);
for (const [load, servers] of loads) {
  const [transport, inFlight] = load.split(' ');
  for (const server of ['reference', 'typescript']) {
    const numbers = columns.map(({ key, digits }) => median(servers[server][key]).toFixed(digits));
    row([`${transport}, ${inFlight} in flight`, names[server], ...numbers]);
  }
  const ratios = columns.map(({ key, better = less }) =>
    better(median(servers.reference[key]), median(servers.typescript[key])));
  const goal = wanted[load];
  const cells = ratios.map((ratio) => `**${ratio.toFixed(1)}**`);
  if (goal) cells[0] += ` (wanted: ${goal})`;
  row(['', 'times better', ...cells]);
  if (goal && !(ratios[0] >= goal)) {
    console.error(`ci/bench: ${load}: ${ratios[0].toFixed(1)} times, ${goal} are wanted`);
    process.exitCode = 1;
  }
}
