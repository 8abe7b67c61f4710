// @modelcontextprotocol/sdk, which knows the legacy era, drives the reference server over both
// transports: client_v1.mjs SERVER

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  ElicitRequestSchema, ResourceUpdatedNotificationSchema, ToolListChangedNotificationSchema
} from '@modelcontextprotocol/sdk/types.js';

import { checkOverBoth } from './client_transports.mjs';

const notifications = {
  'notifications/resources/updated': ResourceUpdatedNotificationSchema,
  'notifications/tools/list_changed': ToolListChangedNotificationSchema
};

const failures = await checkOverBoth('client v1', process.argv[2], {
  stdio: (command, args) => connect(new StdioClientTransport({ command, args })),
  http: (url) => connect(new StreamableHTTPClientTransport(new URL(url)))
});
// What hangs does not hold this up.
process.exit(failures === 0 ? 0 : 1);

async function connect(transport) {
  const client = new Client({ name: 'interop', version: '1.0.0' }, {
    capabilities: { elicitation: { form: {} } }
  });
  let answer;
  client.setRequestHandler(ElicitRequestSchema, (request) => answer(request));
  await client.connect(transport);
  return {
    client,
    eliciting: 'test_elicitation',
    call: (name, args = {}, options = {}) =>
      client.callTool({ name, arguments: args }, undefined, options),
    onNotification: (method, handler) =>
      client.setNotificationHandler(notifications[method], handler),
    onElicitation: (handler) => { answer = handler; },
    async subscribe(uri) {
      await client.subscribeResource({ uri });
      return () => client.unsubscribeResource({ uri });
    }
  };
}
