// The official conformance suite on the reference server: suite.mjs SERVER REPORTS
//
// Nothing may fail, whether the suite scores it or not, nor be warned about, nor be skipped but for
// what `skips` names. Everything that the server says is recorded on the way and held against the
// official JSON schemas in ASSAY_SPEC_DIR.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { startRecorder } from './recorder.mjs';
import { startHttpServer } from './reference_server.mjs';
import { Schemas } from './schemas.mjs';
import { serverMessages } from './server_messages.mjs';

const suite = join(dirname(fileURLToPath(import.meta.url)),
  'node_modules/@modelcontextprotocol/conformance/dist/index.js');

const runs = [
  { name: '2025-11-25', selection: ['--requirements', '2025-11-25'] },
  { name: '2026-07-28', selection: ['--requirements', '2026-07-28'] },
  { name: 'all', selection: ['--suite', 'all'] }
];

/// What must have been judged in a run of that name: otherwise it proves nothing.
const mustJudge = {
  '2025-11-25': /^server-initialize$/,
  '2026-07-28': /^tasks-/,
  all: /^tasks-/
};

/// Scenarios that judge nothing: an extension that the server does not declare, and one that the
/// suite has no way to judge.
const skips = /^(sep-2640-skills-.*|tasks-status-notifications)$/;
const ofTheWire = 'wire-schema-valid';

const [server, reports] = process.argv.slice(2);
const schemas = process.env.ASSAY_SPEC_DIR ? new Schemas(process.env.ASSAY_SPEC_DIR) : undefined;
let wrong = 0;
for (const run of runs) wrong += await judge(run);
if (!schemas) console.log('SKIPPED: no message was held against the official schemas: ASSAY_SPEC_DIR is not set');
process.exitCode = wrong === 0 ? 0 : 1;

/// Prints what is wrong in this run, and a line that sums it up. Returns how much is wrong.
async function judge({ name, selection }) {
  const report = join(reports, name);
  rmSync(report, { recursive: true, force: true });
  mkdirSync(report, { recursive: true });

  const began = performance.now();
  const reference = await startHttpServer(server);
  const recorder = await startRecorder(reference.url);
  const status = await runSuite(recorder.url, selection, report);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const exchanges = recorder.exchanges();
  await recorder.stop();
  await reference.stop();

  const messages = serverMessages(exchanges);
  writeFileSync(join(report, 'wire.json'), JSON.stringify({ exchanges, messages }, null, 1));
  const checks = checksIn(report);
  const complaints = [
    ...(status === 0 ? [] : [`the suite ended with ${status}: see ${join(report, 'log.txt')}`]),
    ...complaintsOfSuite(checks),
    ...complaintsOfRun(name, checks, messages),
    ...(schemas ? complaintsOfSchemas(messages) : [])
  ];
  for (const [complaint, times] of tally(complaints)) {
    console.log(`not ok suite ${name}: ${complaint}${times > 1 ? ` (${times} times)` : ''}`);
  }
  console.log(`suite ${name}: ${counted(checks)}; ${messages.length} messages of the server ` +
    `${schemas ? 'held against the schemas' : 'not held against any schema'}; ${seconds} s`);
  return complaints.length;
}

async function runSuite(url, selection, report) {
  const child = spawn(process.execPath, [suite, 'server', '--url', url, ...selection, '-o', report],
    { stdio: ['ignore', 'pipe', 'pipe'] });
  const log = createWriteStream(join(report, 'log.txt'));
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  const [code, signal] = await once(child, 'close');
  log.end();
  return code ?? signal;
}

/// The checks of each scenario, with its name.
function checksIn(report) {
  return readdirSync(report, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => {
      const scenario = name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[\dZ-]+$/, '');
      return JSON.parse(readFileSync(join(report, name, 'checks.json')))
        .map((check) => ({ scenario, ...check }));
    });
}

function complaintsOfSuite(checks) {
  return checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
    .map((check) => `${check.status} ${check.scenario} ${check.id}: ` +
      `${check.errorMessage ?? check.description} ${JSON.stringify(check.details ?? {})}`
        .replace(/\s+/g, ' ').slice(0, 600));
}

/// A run in which too little happened must not look like a good one.
function complaintsOfRun(name, checks, messages) {
  const complaints = [];
  if (messages.length === 0) complaints.push('nothing was recorded');
  if (!checks.some(({ scenario, status }) => mustJudge[name].test(scenario) && status === 'SUCCESS')) {
    complaints.push(`no scenario ${mustJudge[name]} was judged`);
  }
  for (const { scenario, status, id, errorMessage } of checks) {
    if (id !== ofTheWire && skips.test(scenario) !== (status === 'SKIPPED')) {
      complaints.push(`${status} ${scenario} ${id} ${errorMessage ?? ''}`);
    }
  }
  return complaints;
}

function complaintsOfSchemas(messages) {
  return messages.flatMap(({ message, revision, requests }) =>
    schemas.violations(message, revision, requests)
      .map((found) => `${revision} ${found} in ${JSON.stringify(message).slice(0, 600)}`));
}

function counted(checks) {
  const counts = tally(checks.map(({ status }) => status.toLowerCase()));
  return `${checks.length} checks, ` + counts.map(([status, count]) => `${count} ${status}`).join(', ');
}

function tally(things) {
  const counts = new Map();
  for (const thing of things) counts.set(thing, (counts.get(thing) ?? 0) + 1);
  return [...counts];
}
