// The fixtures over HTTP, both eras at one endpoint: modern requests each by themselves, legacy ones in
// sessions whose streams can be resumed. Prints where it listens.

import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

import { toNodeHandler } from '@modelcontextprotocol/node';
import {
  createMcpHandler, hostHeaderValidationResponse, isLegacyRequest, localhostAllowedHostnames,
  localhostAllowedOrigins, originValidationResponse, WebStandardStreamableHTTPServerTransport
} from '@modelcontextprotocol/server';

import { fixtures } from './fixtures.mjs';

const modern = createMcpHandler(({ era }) => fixtures({
  era,
  toolsChanged: () => modern.notify.toolsChanged(),
  promptsChanged: () => modern.notify.promptsChanged()
}), { legacy: 'reject' });

/// The events of one session, in order.
class Events {
  #events = [];

  async storeEvent(stream, message) {
    this.#events.push({ stream, message });
    return String(this.#events.length - 1);
  }

  async getStreamIdForEventId(id) {
    return this.#events[id]?.stream;
  }

  async replayEventsAfter(last, { send }) {
    const { stream } = this.#events[last];
    for (let id = Number(last) + 1; id < this.#events.length; ++id) {
      const { stream: its, message } = this.#events[id];
      if (its === stream && Object.keys(message).length > 0) await send(String(id), message);
    }
    return stream;
  }
}

const sessions = new Map(); // session id -> transport

async function serveLegacy(request) {
  const id = request.headers.get('mcp-session-id');
  if (id !== null && !sessions.has(id)) {
    const error = { code: -32001, message: 'Session not found' };
    return Response.json({ jsonrpc: '2.0', id: null, error }, { status: 404 });
  }
  return (sessions.get(id) ?? await openSession()).handleRequest(request);
}

/// Its transport refuses whatever is no `initialize`.
async function openSession() {
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void sessions.set(id, transport),
    onsessionclosed: (id) => void sessions.delete(id),
    eventStore: new Events(),
    retryInterval: 50
  });
  const server = fixtures({
    era: 'legacy',
    toolsChanged: () => server.sendToolListChanged(),
    promptsChanged: () => server.sendPromptListChanged()
  });
  await server.connect(transport);
  return transport;
}

async function serve(request) {
  const refused = hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
    originValidationResponse(request, localhostAllowedOrigins());
  if (refused) return refused;
  return (await isLegacyRequest(request)) ? serveLegacy(request) : modern.fetch(request);
}

const http = createServer(toNodeHandler({ fetch: serve }));
http.listen(0, '127.0.0.1', () => {
  console.error(`listening on http://127.0.0.1:${http.address().port}/mcp`);
});
