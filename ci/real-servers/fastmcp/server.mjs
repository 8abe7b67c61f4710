// A server on fastmcp, which wraps the TypeScript SDK v1 and its HTTP transport.

import { setTimeout as sleep } from 'node:timers/promises';
import { FastMCP, UserError } from 'fastmcp';
import { z } from 'zod';

const server = new FastMCP({ name: 'interop-fastmcp', version: '1.0.0' });

server.addTool({
  name: 'echo',
  parameters: z.object({ message: z.string() }),
  execute: async ({ message }) => message
});
server.addTool({
  name: 'add',
  parameters: z.object({ a: z.number(), b: z.number() }),
  outputSchema: z.object({ sum: z.number() }),
  execute: async ({ a, b }) => ({ sum: a + b })
});
server.addTool({
  name: 'slow',
  parameters: z.object({ duration_ms: z.number(), steps: z.number() }),
  execute: async ({ duration_ms, steps }, { reportProgress }) => {
    for (let step = 1; step <= steps; ++step) {
      await sleep(duration_ms / steps);
      await reportProgress({ progress: step, total: steps });
    }
    return 'done';
  }
});
server.addTool({
  name: 'fails',
  execute: async () => { throw new UserError('on purpose'); }
});
server.addPrompt({
  name: 'greeting',
  arguments: [{ name: 'name', required: true }],
  load: async ({ name }) => `Hello ${name}`
});
server.addResource({
  name: 'motto',
  uri: 'interop://motto',
  mimeType: 'text/plain',
  load: async () => ({ text: 'Trust, but verify' })
});
server.addResourceTemplate({
  name: 'page',
  uriTemplate: 'interop://page/{number}',
  mimeType: 'text/plain',
  arguments: [{ name: 'number', required: true }],
  load: async ({ number }) => ({ text: `Page ${number}` })
});

server.start({
  transportType: 'httpStream',
  httpStream: { port: Number(process.env.PORT), host: '127.0.0.1' }
});
