// An official client that is driven through a session, its server behind `assay record`:
// record_client.mjs COMMAND…

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const [command, ...args] = process.argv.slice(2);
const client = new Client({ name: 'recorded', version: '1.0.0' }, { capabilities: { elicitation: {} } });
client.setRequestHandler(ElicitRequestSchema, async () => ({ action: 'decline' }));
await client.connect(new StdioClientTransport({ command, args }));

await client.listTools();
await client.callTool({ name: 'echo', arguments: { message: 'hello', apiKey: 'nobody-may-read-this' } });
await client.callTool({ name: 'trigger-elicitation-request', arguments: {} });
await Promise.all([client.callTool({ name: 'get-sum', arguments: { a: 2, b: 3 } }), client.ping()]);
await client.listPrompts();
const { resources } = await client.listResources();
await client.readResource({ uri: resources[0].uri });
await client.close();
