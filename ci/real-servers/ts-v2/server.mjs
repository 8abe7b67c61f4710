// A server on the TypeScript SDK v2, which serves both eras.

import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  localhostHostValidation, localhostOriginValidation, toNodeHandler
} from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const text = (words) => ({ content: [{ type: 'text', text: words }] });
const plain = { mimeType: 'text/plain' };

function build() {
  const server = new McpServer({ name: 'interop-ts-v2', version: '1.0.0' });
  server.registerTool('echo', { inputSchema: z.object({ message: z.string() }) },
    async ({ message }) => text(message));
  server.registerTool('add', {
    inputSchema: z.object({ a: z.number(), b: z.number() }),
    outputSchema: z.object({ sum: z.number() })
  }, async ({ a, b }) => {
    const result = { sum: a + b };
    return { ...text(JSON.stringify(result)), structuredContent: result };
  });
  server.registerTool('slow', {
    inputSchema: z.object({ duration_ms: z.number(), steps: z.number() })
  }, async ({ duration_ms, steps }, context) => {
    const { _meta, signal, notify } = context.mcpReq;
    for (let step = 1; step <= steps; ++step) {
      await sleep(duration_ms / steps, undefined, { signal });
      if (_meta?.progressToken !== undefined) {
        await notify({
          method: 'notifications/progress',
          params: { progressToken: _meta.progressToken, progress: step, total: steps }
        });
      }
    }
    return text('done');
  });
  server.registerTool('fails', {}, async () => { throw new Error('on purpose'); });
  server.registerPrompt('greeting', { argsSchema: z.object({ name: z.string() }) },
    ({ name }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: `Hello ${name}` } }]
    }));
  server.registerResource('motto', 'interop://motto', plain,
    async (uri) => ({ contents: [{ uri: uri.href, ...plain, text: 'Trust, but verify' }] }));
  server.registerResource('page',
    new ResourceTemplate('interop://page/{number}', { list: undefined }), plain,
    async (uri, { number }) => ({
      contents: [{ uri: uri.href, ...plain, text: `Page ${number}` }]
    }));
  return server;
}

if (process.argv[2] === 'http') {
  const handler = toNodeHandler(createMcpHandler(build));
  createServer((request, response) => {
    if (!localhostHostValidation()(request, response)) return;
    if (!localhostOriginValidation()(request, response)) return;
    handler(request, response);
  }).listen(process.env.PORT, '127.0.0.1');
} else {
  serveStdio(build);
}
