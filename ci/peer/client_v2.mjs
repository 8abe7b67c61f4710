// @modelcontextprotocol/client drives the reference server in both eras, over both transports:
// client_v2.mjs SERVER

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { checkOverBoth } from './client_transports.mjs';

const eras = {
  modern: { mode: { pin: '2026-07-28' }, eliciting: 'test_input_required_result_elicitation' },
  auto: { mode: 'auto', eliciting: 'test_input_required_result_elicitation' },
  legacy: { mode: 'legacy', eliciting: 'test_elicitation' }
};

let failures = 0;
for (const era of Object.keys(eras)) {
  failures += await checkOverBoth(`client v2, ${era}`, process.argv[2], {
    stdio: (command, args) => connect(era, new StdioClientTransport({ command, args })),
    http: (url) => connect(era, new StreamableHTTPClientTransport(new URL(url)))
  });
}
// What hangs does not hold this up.
process.exit(failures === 0 ? 0 : 1);

async function connect(era, transport) {
  const { mode, eliciting } = eras[era];
  const client = new Client({ name: 'interop', version: '1.0.0' }, {
    capabilities: { elicitation: { form: {} } },
    versionNegotiation: { mode }
  });
  let answer;
  client.setRequestHandler('elicitation/create', (request) => answer(request));
  await client.connect(transport);

  const expected = mode === 'legacy' ? 'legacy' : 'modern';
  if (client.getProtocolEra() !== expected) throw new Error(`it speaks ${client.getProtocolEra()}`);
  return {
    client,
    eliciting,
    call: (name, args = {}, options = {}) => client.callTool({ name, arguments: args }, options),
    onNotification: (method, handler) => client.setNotificationHandler(method, handler),
    onElicitation: (handler) => { answer = handler; },
    subscribe: expected === 'modern' ? (uri) => listen(client, uri) : (uri) => subscribe(client, uri)
  };
}

async function listen(client, uri) {
  const subscription = await client.listen({ resourceSubscriptions: [uri], toolsListChanged: true });
  return () => subscription.close();
}

async function subscribe(client, uri) {
  await client.subscribeResource({ uri });
  return () => client.unsubscribeResource({ uri });
}
