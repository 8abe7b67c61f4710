// A shopping cart on the TypeScript SDK v2, over HTTP, for any number of instances that are given the
// same CART_STORE, a folder. A legacy session has its carts in memory; those of the modern era are
// in the store, and so is the key that signs requestState.

import { randomBytes, randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import {
  localhostHostValidation, localhostOriginValidation, toNodeHandler
} from '@modelcontextprotocol/node';
import {
  acceptedContent, createMcpHandler, createRequestStateCodec, inputRequired, isLegacyRequest,
  McpServer, ProtocolError, ProtocolErrorCode, WebStandardStreamableHTTPServerTransport
} from '@modelcontextprotocol/server';
import { z } from 'zod';

const goods = [
  { sku: 'coffee-250g', name: 'Coffee beans, 250 g', price_cents: 875 },
  { sku: 'mug-enamel', name: 'Enamel mug', price_cents: 1450 },
  { sku: 'notebook-a5', name: 'Notebook, A5, dotted', price_cents: 620 }
];

// --- where carts are kept

const folder = process.env.CART_STORE;
mkdirSync(folder, { recursive: true });

/** Whole or not at all; `publish` decides about a file that is there already. */
function write(name, text, publish) {
  const scratch = `${folder}/${randomUUID()}.new`;
  writeFileSync(scratch, text);
  publish(scratch, `${folder}/${name}`);
}

try {
  write('key', randomBytes(32).toString('hex'), linkSync);
} catch (error) {
  if (error.code !== 'EEXIST') throw error; // another instance was first
}
const state = createRequestStateCodec({ key: readFileSync(`${folder}/key`, 'utf8') });

const shared = {
  get: (id) => {
    if (!/^[0-9a-f-]{36}$/.test(id)) return undefined;
    try {
      return JSON.parse(readFileSync(`${folder}/${id}.json`, 'utf8'));
    } catch {
      return undefined;
    }
  },
  set: (id, cart) => write(`${id}.json`, JSON.stringify(cart), renameSync)
};

// --- the tools

const shown = (cart) => ({
  content: [{ type: 'text', text: JSON.stringify(cart) }],
  structuredContent: cart
});
const refused = (why) => ({ content: [{ type: 'text', text: why }], isError: true });

const goodSchema = z.object({ sku: z.string(), name: z.string(), price_cents: z.int() });
const cartSchema = z.object({
  cart_id: z.string(),
  version: z.int(),
  items: z.array(goodSchema.extend({ quantity: z.int(), total_cents: z.int() })),
  total_cents: z.int(),
  order_id: z.string().optional()
});
const confirmation = z.object({ confirm: z.boolean() });
const reads = { readOnlyHint: true };

/** `carts` has get and set; in a session its last cart may be left unnamed. */
function build(carts, session) {
  const server = new McpServer({ name: 'interop-ts-v2-carts', version: '1.0.0' }, {
    requestState: { verify: state.verify },
    cacheHints: { 'tools/list': { ttlMs: 3_600_000, cacheScope: 'public' } }
  });
  const tool = (name, properties, annotations, handle) => server.registerTool(name, {
    inputSchema: z.object({ ...properties, cart_id: z.string().optional() }),
    outputSchema: cartSchema, annotations
  }, (given, context) => {
    const cart = carts.get(given.cart_id ?? session?.current ?? '');
    return cart === undefined ? refused('There is no such cart') : handle(cart, given, context);
  });
  const keep = (cart) => {
    carts.set(cart.cart_id, cart);
    return shown(cart);
  };

  server.registerTool('catalog_list', {
    outputSchema: z.object({ goods: z.array(goodSchema) }), annotations: reads
  }, () => shown({ goods }));
  server.registerTool('cart_create', { outputSchema: cartSchema }, () => {
    const cart = { cart_id: randomUUID(), version: 0, items: [], total_cents: 0 };
    if (session) session.current = cart.cart_id;
    return keep(cart);
  });
  tool('cart_add_item', { sku: z.string(), quantity: z.int().min(1).default(1) }, {},
    (cart, { sku, quantity }) => {
      const good = goods.find((one) => one.sku === sku);
      if (good === undefined) return refused('There is no such good');
      if (cart.order_id !== undefined) return refused('What was bought cannot be added to');
      const others = cart.items.filter((item) => item.sku !== sku);
      const before = cart.items.find((item) => item.sku === sku)?.quantity ?? 0;
      const item = { ...good, quantity: before + quantity };
      cart.items = [...others, { ...item, total_cents: item.quantity * item.price_cents }]
        .sort((a, b) => (a.sku < b.sku ? -1 : 1));
      cart.total_cents = cart.items.reduce((sum, { total_cents }) => sum + total_cents, 0);
      ++cart.version;
      return keep(cart);
    });
  tool('cart_view', {}, reads, shown);
  // The SDK puts what is asked here to a legacy client as elicitation/create, while the call stays
  // open, and calls again with the answer.
  tool('cart_checkout', {}, { destructiveHint: true, idempotentHint: true },
    async (cart, _, { mcpReq }) => {
      if (cart.order_id !== undefined) return shown(cart);
      if (cart.items.length === 0) return refused('The cart is empty');
      const asked = mcpReq.requestState();
      if (asked !== undefined && asked.cart_id !== cart.cart_id) {
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'requestState of another cart');
      }
      const { confirm } = mcpReq.inputResponses ?? {};
      if (asked?.version !== cart.version || confirm === undefined) {
        return inputRequired({
          inputRequests: {
            confirm: inputRequired.elicit({
              message: `Buy for ${(cart.total_cents / 100).toFixed(2)}?`,
              requestedSchema: confirmation
            })
          },
          requestState: await state.mint({ cart_id: cart.cart_id, version: cart.version })
        });
      }
      if (!acceptedContent(mcpReq.inputResponses, 'confirm', confirmation)?.confirm) {
        return shown(cart);
      }
      return keep({ ...cart, order_id: randomUUID() });
    });
  return server;
}

// --- HTTP

const sessions = new Map();

async function serveLegacy(request) {
  const session = request.headers.get('mcp-session-id');
  if (session !== null && !sessions.has(session)) {
    const { id = null } = await request.json().catch(() => ({}));
    const error = { code: -32600, message: 'There is no such session' };
    return Response.json({ jsonrpc: '2.0', error, id }, { status: 404 });
  }
  if (session !== null) return sessions.get(session).handleRequest(request);
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (given) => sessions.set(given, transport),
    onsessionclosed: (given) => sessions.delete(given)
  });
  await build(new Map(), {}).connect(transport);
  return transport.handleRequest(request);
}

const modern = createMcpHandler(() => build(shared), { legacy: 'reject' });
const handle = toNodeHandler({
  fetch: async (request) =>
    (await isLegacyRequest(request)) ? serveLegacy(request) : modern.fetch(request)
});
createServer((request, response) => {
  if (!localhostHostValidation()(request, response)) return;
  if (!localhostOriginValidation()(request, response)) return;
  handle(request, response);
}).listen(process.env.PORT, '127.0.0.1');
