// The TypeScript SDK v2 as ci/bench measures it: one tool, over stdio or, when told so, over HTTP.

import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

function build() {
  const server = new McpServer({ name: 'bench-ts-v2', version: '1.0.0' });
  server.registerTool('echo', { inputSchema: z.object({ message: z.string() }) },
    async ({ message }) => ({ content: [{ type: 'text', text: message }] }));
  return server;
}

if (process.argv[2] === 'http') {
  const http = createServer(toNodeHandler(createMcpHandler(build)));
  http.listen(0, '127.0.0.1', () => {
    console.error(`listening on http://127.0.0.1:${http.address().port}/mcp`);
  });
} else {
  serveStdio(build);
}
