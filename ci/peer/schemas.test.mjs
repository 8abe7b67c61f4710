// The check of messages against the official schemas accepts good ones, and can fail.

import assert from 'node:assert/strict';
import test from 'node:test';

import { exchangesOf } from './http_exchanges.mjs';
import { legacyRevisions, modernRevision, Schemas } from './schemas.mjs';
import { serverMessages } from './server_messages.mjs';

const folder = process.env.ASSAY_SPEC_DIR;
const schemas = new Schemas(folder);
const skip = folder ? false : 'ASSAY_SPEC_DIR is not set';

const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo' } };
const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const answer = (result) => ({ jsonrpc: '2.0', id: 1, result });
const failure = (error) => ({ jsonrpc: '2.0', id: 1, error });
const content = [{ type: 'text', text: 'hello' }];
const task = {
  taskId: 't', status: 'working', createdAt: '2026-07-28T00:00:00Z',
  lastUpdatedAt: '2026-07-28T00:00:00Z', ttlMs: null
};

function accepts(name, message, revision, ...requests) {
  test(`accepts ${name} (${revision})`, { skip }, () =>
    assert.deepEqual(schemas.violations(message, revision, requests), []));
}
function refuses(name, message, revision, ...requests) {
  test(`refuses ${name} (${revision})`, { skip }, () =>
    assert.notDeepEqual(schemas.violations(message, revision, requests), []));
}

for (const revision of legacyRevisions) {
  accepts('a result', answer({ content }), revision, call);
  refuses('a result without its members', answer({}), revision, call);
  refuses('a result of another method', answer({ content }), revision, listTools);
  refuses('an answer to nothing', answer({ content }), revision);
  refuses('a result to an unknown method', answer({}), revision, { ...call, method: 'no/method' });
  accepts('an error', failure({ code: -32602, message: 'no' }), revision, call);
  refuses('an error without a message', failure({ code: -32602 }), revision, call);
  accepts('a request of servers', { jsonrpc: '2.0', id: 9, method: 'roots/list' }, revision);
  refuses('a request of clients', { ...listTools }, revision);
  refuses('an unknown notification', { jsonrpc: '2.0', method: 'notifications/none' }, revision);
}

accepts('a result', answer({ resultType: 'complete', content }), modernRevision, call);
refuses('a result without resultType', answer({ content }), modernRevision, call);
refuses('a result with half its members', answer({ resultType: 'complete', tools: [] }),
  modernRevision, listTools);
refuses('an unknown resultType', answer({ resultType: 'half', content }), modernRevision, call);
accepts('a question', answer({ resultType: 'input_required', requestState: 's' }), modernRevision,
  call);
refuses('a question of another type', answer({ resultType: 'input_required', requestState: 5 }),
  modernRevision, call);
refuses('a question to tools/list', answer({ resultType: 'input_required', requestState: 's' }),
  modernRevision, listTools);
accepts('a task', answer({ resultType: 'task', ...task }), modernRevision, call);
refuses('a task without id', answer({ resultType: 'task', ...task, taskId: undefined }),
  modernRevision, call);
const getTask = { ...call, method: 'tasks/get', params: { taskId: 't' } };
const completed = { ...task, resultType: 'complete', status: 'completed' };
accepts('the state of a task', answer({ ...completed, result: { content } }), modernRevision, getTask);
refuses('a completed task with half a result', answer({ ...completed, result: {} }), modernRevision,
  getTask);
refuses('a request', { jsonrpc: '2.0', id: 9, method: 'roots/list' }, modernRevision);
refuses('a null id', { ...failure({ code: -32600, message: 'no' }), id: null }, modernRevision);
const version = { code: -32022, message: 'no', data: { supported: [], requested: '1900-01-01' } };
accepts('an error with data', failure(version), modernRevision, call);
refuses('an error without its data', failure({ ...version, data: {} }), modernRevision, call);

test('finds what a server said in recorded bytes', () => {
  const post = (session, message) => `POST /mcp HTTP/1.1\r\n${session}Content-Length: ` +
    `${JSON.stringify(message).length}\r\n\r\n${JSON.stringify(message)}`;
  const chunk = (text) => `${text.length.toString(16)}\r\n${text}\r\n`;
  const initialize = { jsonrpc: '2.0', id: 0, method: 'initialize' };
  const agreed = JSON.stringify({ jsonrpc: '2.0', id: 0, result: { protocolVersion: '2025-06-18' } });
  const note = { jsonrpc: '2.0', method: 'notifications/message' };
  const sent = post('', initialize) + post('Mcp-Session-Id: s\r\n', call) +
    'GET /mcp HTTP/1.1\r\nmcp-session-id: s\r\n\r\n';
  const received = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nMcp-Session-Id:  s\r\n' +
    `Content-Length: ${agreed.length}\r\n\r\n${agreed}` +
    'HTTP/1.1 100 Continue\r\n\r\n' +
    'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n' +
    chunk('id: 1\ndata:\n\n') + chunk(`data: ${JSON.stringify(note)}\n\n: still he`) + chunk('re\n\n') +
    '0\r\n\r\n' +
    'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n' +
    chunk(`id: 2\ndata: ${JSON.stringify(answer({ content }))}\n\nid: 3\ndata: {"cut": `);
  assert.deepEqual(serverMessages(exchangesOf(Buffer.from(sent), Buffer.from(received))), [
    { message: JSON.parse(agreed), revision: '2025-06-18', requests: [initialize] },
    { message: note, revision: '2025-06-18', requests: [] },
    { message: answer({ content }), revision: '2025-06-18', requests: [call] }
  ]);
});
