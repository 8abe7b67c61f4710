// What ci/bench suite counted and measured, in Markdown: suite_table.mjs ROUNDS
//
// ROUNDS holds a folder a round; in it `suite`, `quick` and `assay`, each with `times` (wall, user and
// system seconds of that judge, children included, the server not) and with its report. `quick` is
// Assay with --quick: as the suite does, it judges each requirement once, so that the two do the same
// work; what is wanted is wanted of it. `assay` runs all its cases, which judge most requirements
// several times: more is found, and no more is counted. What a check is:
//
//   suite  an id in checks.json with a verdict (SUCCESS, FAILURE or WARNING; neither INFO nor SKIPPED),
//          once under each revision, however many scenarios check it.
//   Assay  a requirement that report.json says passed or failed. Each belongs to one era, of which one
//          revision is run, over HTTP alone, so each counts once, however many cases prove it. What is
//          only watched, in every exchange, counts once as well, unless it is about Tasks and the
//          server has none: then there was nothing to see. So does the suite's own watcher,
//          wire-schema-valid.
//
// Exit code 1 if a ratio of medians misses what is wanted.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const rounds = process.argv[2];
const judged = { suite: new Set(['SUCCESS', 'FAILURE', 'WARNING']), assay: new Set(['passed', 'failed']) };

function folders(path) {
  return readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

const read = (...path) => JSON.parse(readFileSync(join(...path), 'utf8'));

function checksOfSuite(report) {
  return folders(report).flatMap((revision) => folders(join(report, revision)).flatMap((scenario) => {
    const file = join(report, revision, scenario, 'checks.json');
    return (existsSync(file) ? read(file) : []).filter(({ status }) => judged.suite.has(status))
      .map(({ id }) => `${revision} ${id}`);
  }));
}

function checksOfAssay(report) {
  const { requirements, target } = read(report, 'report.json');
  const seen = ({ id, why }) =>
    target.tasks.length > 0 || !id.startsWith('T-') || !/^watched /.test(why ?? '');
  return requirements.filter((one) => judged.assay.has(one.state) && seen(one)).map(({ id }) => id);
}

function measured(judge, round) {
  const folder = join(rounds, round, judge);
  const [wall, user, system] = readFileSync(join(folder, 'times'), 'utf8').trim().split('\n').at(-1)
    .split(' ').map(Number);
  const checks = new Set(judge === 'suite' ? checksOfSuite(folder) : checksOfAssay(folder)).size;
  return { checks, wall, cpu: user + system, rate: checks / wall };
}

const median = (values) => values.toSorted((a, b) => a - b)[(values.length - 1) >> 1];
const medians = (judge) => {
  const all = folders(rounds).map((round) => measured(judge, round));
  return Object.fromEntries(Object.keys(all[0]).map((key) => [key, median(all.map((one) => one[key]))]));
};

const suite = medians('suite');
const row = (cells) => console.log(`| ${cells.join(' | ')} |`);
const tell = (name, { checks, wall, cpu, rate }) =>
  row([name, checks, wall.toFixed(2), cpu.toFixed(2), rate.toFixed(1)]);
const ratios = ({ checks, wall, cpu, rate }) => [
  { what: 'checks', ratio: checks / suite.checks, wanted: 1 },
  { what: 'wall time', ratio: suite.wall / wall, wanted: 4 },
  { what: 'CPU time', ratio: suite.cpu / cpu, wanted: 10 },
  { what: 'checks a second', ratio: rate / suite.rate, wanted: 10 }
];

row(['', 'checks judged', 'wall s', 'CPU s', 'checks/s']);
console.log('|---|--:|--:|--:|--:|');
tell('official suite', suite);
tell('Assay, each requirement once', medians('quick'));
row(['times better', ...ratios(medians('quick')).map(({ ratio, wanted }) =>
  `**${ratio.toFixed(1)}** (wanted: ${wanted})`)]);
tell('Assay, all cases', medians('assay'));
row(['times better', ...ratios(medians('assay')).map(({ ratio }) => ratio.toFixed(1))]);
for (const { what, ratio, wanted } of ratios(medians('quick')).filter((one) => !(one.ratio >= one.wanted))) {
  console.error(`ci/bench: ${what}: ${ratio.toFixed(1)} times better, ${wanted} are wanted`);
  process.exitCode = 1;
}
