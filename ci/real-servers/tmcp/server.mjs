// A server on tmcp, an implementation of its own, which serves both eras.

import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { McpServer } from 'tmcp';
import { createRequestListener } from '@remix-run/node-fetch-server';
import { HttpTransport } from '@tmcp/transport-http';
import { StdioTransport } from '@tmcp/transport-stdio';
import { ZodJsonSchemaAdapter } from '@tmcp/adapter-zod';
import { z } from 'zod';

const text = (words) => ({ content: [{ type: 'text', text: words }] });
const plain = { mimeType: 'text/plain' };

const server = new McpServer({ name: 'interop-tmcp', version: '1.0.0' }, {
  adapter: new ZodJsonSchemaAdapter(),
  capabilities: { tools: {}, prompts: {}, resources: {} }
});

server.tool({
  name: 'echo',
  description: 'Says it again',
  schema: z.object({ message: z.string() })
}, async ({ message }) => text(message));
server.tool({
  name: 'add',
  description: 'Adds',
  schema: z.object({ a: z.number(), b: z.number() }),
  outputSchema: z.object({ sum: z.number() })
}, async ({ a, b }) => {
  const result = { sum: a + b };
  return { ...text(JSON.stringify(result)), structuredContent: result };
});
server.tool({
  name: 'slow',
  description: 'Takes its time',
  schema: z.object({ duration_ms: z.number(), steps: z.number() })
}, async ({ duration_ms, steps }) => {
  for (let step = 1; step <= steps; ++step) {
    await sleep(duration_ms / steps);
    server.progress(step, steps);
  }
  return text('done');
});
server.tool({ name: 'fails', description: 'Fails' },
  async () => ({ ...text('on purpose'), isError: true }));
server.prompt({
  name: 'greeting',
  description: 'Greets',
  schema: z.object({ name: z.string() })
}, async ({ name }) => ({
  messages: [{ role: 'user', content: { type: 'text', text: `Hello ${name}` } }]
}));
server.resource({ name: 'motto', description: 'A motto', uri: 'interop://motto' },
  async (uri) => ({ contents: [{ uri, ...plain, text: 'Trust, but verify' }] }));
server.template({ name: 'page', description: 'A page', uri: 'interop://page/{number}' },
  async (uri, { number }) => ({ contents: [{ uri, ...plain, text: `Page ${number}` }] }));

if (process.argv[2] === 'http') {
  const transport = new HttpTransport(server, { path: '/mcp' });
  createServer(createRequestListener(
    async (request) => await transport.respond(request) ?? new Response(null, { status: 404 })
  )).listen(process.env.PORT, '127.0.0.1');
} else {
  new StdioTransport(server).listen();
}
