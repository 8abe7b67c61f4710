// Which messages a server sent in recorded HTTP exchanges, under which revision, in answer to what.

import { eventsOf } from './http_exchanges.mjs';
import { legacyRevisions, modernRevision } from './schemas.mjs';

const envelopeKey = 'io.modelcontextprotocol/protocolVersion';

/// Returns `{message, revision, requests}` for each. A body or an event that is not JSON is a message
/// that is a string. `requests` are the client's requests with the id of the message.
export function serverMessages(exchanges) {
  const sessions = new Map();
  for (const exchange of exchanges) noteSession(exchange, sessions);
  return exchanges.flatMap((exchange) => {
    const session = sessions.get(sessionIdOf(exchange));
    const revision = revisionOf(exchange, session);
    // What a legacy stream breaks off goes on in another exchange of its session.
    const askedHere = requestsIn(exchange);
    const asked = askedHere.length === 0 && session ? session.requests : askedHere;
    return messagesIn(exchange.response).map((message) => ({
      message,
      revision,
      requests: asked.filter(({ id }) => id === message.id)
    }));
  });
}

function noteSession(exchange, sessions) {
  const id = sessionIdOf(exchange);
  if (id === undefined) return;
  if (!sessions.has(id)) sessions.set(id, { revision: undefined, requests: [] });
  const session = sessions.get(id);
  session.revision ??= negotiatedIn(exchange);
  session.requests.push(...requestsIn(exchange));
}

/// The revision that an `initialize` in this exchange agreed on, if there is one.
function negotiatedIn(exchange) {
  if (!requestsIn(exchange).some(({ method }) => method === 'initialize')) return undefined;
  return messagesIn(exchange.response).find(({ result }) => result)?.result.protocolVersion;
}

function sessionIdOf({ request, response }) {
  return request.headers['mcp-session-id'] ?? response?.headers['mcp-session-id'];
}

function revisionOf(exchange, session) {
  const header = exchange.request.headers['mcp-protocol-version'];
  const isModern = (header !== undefined && !legacyRevisions.includes(header)) ||
    requestsIn(exchange).some(({ params }) => params?._meta?.[envelopeKey] !== undefined);
  if (isModern) return modernRevision;
  const agreed = session?.revision ?? negotiatedIn(exchange) ?? header;
  return legacyRevisions.includes(agreed) ? agreed : legacyRevisions.at(-1);
}

function requestsIn({ request }) {
  const messages = listed(parsed(request.body));
  return messages.filter((message) => message?.method !== undefined && message.id !== undefined);
}

function messagesIn(response) {
  const type = response?.headers['content-type'] ?? '';
  if (type.startsWith('application/json')) return listed(parsed(response.body));
  if (type.startsWith('text/event-stream')) {
    return eventsOf(response.body).flatMap((data) => listed(parsed(data)));
  }
  return [];
}

const listed = (value) => Array.isArray(value) ? value : [value];

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
