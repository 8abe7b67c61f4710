// A server on @sylphx/mcp-server-sdk, an implementation of its own.

import { setTimeout as sleep } from 'node:timers/promises';
import {
  createServer, http, messages, prompt, resource, resourceTemplate, resourceText, stdio, text, tool,
  toolError, user
} from '@sylphx/mcp-server-sdk';
import { num, object, str } from '@sylphx/vex';

await createServer({
  name: 'interop-sylphx',
  version: '1.0.0',
  tools: {
    echo: tool().input(object({ message: str() })).handler(({ input }) => text(input.message)),
    add: tool().input(object({ a: num(), b: num() }))
      .handler(({ input }) => text(String(input.a + input.b))),
    slow: tool().input(object({ duration_ms: num(), steps: num() }))
      .handler(async ({ input, ctx }) => {
        for (let step = 1; step <= input.steps; ++step) {
          await sleep(input.duration_ms / input.steps);
          ctx.progress(step, { total: input.steps });
        }
        return text('done');
      }),
    fails: tool().handler(() => toolError('on purpose'))
  },
  prompts: {
    greeting: prompt().args(object({ name: str() }))
      .handler(({ args }) => messages(user(`Hello ${args.name}`)))
  },
  resources: {
    motto: resource().uri('interop://motto')
      .handler(({ uri }) => resourceText(uri, 'Trust, but verify'))
  },
  resourceTemplates: {
    page: resourceTemplate().uriTemplate('interop://page/{number}')
      .handler(({ uri, params }) => resourceText(uri, `Page ${params.number}`))
  },
  transport: process.argv[2] === 'http'
    ? http({ port: Number(process.env.PORT), hostname: '127.0.0.1' })
    : stdio()
}).start();
