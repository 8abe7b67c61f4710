// What the official conformance suite wants to find on a server, made with the TypeScript SDK v2: the
// tools, prompts and resources of its fixtures in both eras. The extensions (Tasks, Skills) are left
// out: the SDK serves none.

import { randomBytes } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';

import {
  acceptedContent, completable, createRequestStateCodec, fromJsonSchema, inputRequired, inputResponse,
  McpServer, ResourceTemplate
} from '@modelcontextprotocol/server';
import { z } from 'zod';

const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities';
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==';
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

const state = createRequestStateCodec({ key: randomBytes(32) });

// Made once: the SDK asks for a server for every modern request.
const schemas = {
  prompt: z.object({ prompt: z.string() }),
  message: z.object({ message: z.string() }),
  name: z.object({ name: z.string() }),
  resourceUri: z.object({ resourceUri: z.string() }),
  twoArguments: z.object({ arg1: completed(), arg2: completed() }),
  region: fromJsonSchema({
    type: 'object',
    properties: { region: { type: 'string', 'x-mcp-header': 'Region' } }
  }),
  contact: fromJsonSchema({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: {
        $anchor: 'addressDef',
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' } }
      }
    },
    properties: {
      name: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      contactMethod: { enum: ['phone', 'email'] },
      phone: { type: 'string' },
      email: { type: 'string' }
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false
  })
};

function completed() {
  return completable(z.string(), (start) => ['testing', 'tests'].filter((one) => one.startsWith(start)));
}

const text = (words) => ({ type: 'text', text: words });
const image = { type: 'image', data: png, mimeType: 'image/png' };
const embedded = (uri, mimeType, words) => ({ type: 'resource', resource: { uri, mimeType, text: words } });
const says = (...content) => ({ content });
const said = (...content) => ({ messages: content.map((one) => ({ role: 'user', content: one })) });

const form = (message, properties, required = []) =>
  inputRequired.elicit({ message, requestedSchema: { type: 'object', properties, required } });
const sample = (prompt) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: text(prompt) }], maxTokens: 100 });
const confirmation = () => form('Is that right?', { ok: { type: 'boolean' } }, ['ok']);

/// A server with all fixtures. `era` is the one it will speak; `toolsChanged` and `promptsChanged` tell
/// the subscribers of that era.
export function fixtures({ era, toolsChanged, promptsChanged }) {
  const server = new McpServer({ name: 'fixtures-ts-v2', version: '1.0.0' }, {
    capabilities: {
      logging: {},
      completions: {},
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { subscribe: true, listChanged: true }
    },
    requestState: { verify: state.verify }
  });
  addContentTools(server);
  addTalkingTools(server, { toolsChanged, promptsChanged });
  addAskingTools(server);
  addToolsWithState(server);
  addToolsOfSchemas(server);
  addPrompts(server);
  addResources(server);
  if (era === 'legacy') addSubscriptions(server);
  return server;
}

function addTool(server, name, description, run) {
  server.registerTool(name, { description }, run);
}

function addContentTools(server) {
  addTool(server, 'test_simple_text', 'Answers with text.',
    () => says(text('This is a simple text response for testing.')));
  addTool(server, 'test_image_content', 'Answers with an image.', () => says(image));
  addTool(server, 'test_audio_content', 'Answers with a sound.',
    () => says({ type: 'audio', data: wav, mimeType: 'audio/wav' }));
  addTool(server, 'test_embedded_resource', 'Answers with a resource.',
    () => says(embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')));
  addTool(server, 'test_multiple_content_types', 'Answers with text, an image and a resource.',
    () => says(text('Several kinds of content:'), image,
      embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}')));
  addTool(server, 'test_error_handling', 'Fails.',
    () => ({ isError: true, ...says(text('This tool intentionally returns an error for testing')) }));
}

function addTalkingTools(server, { toolsChanged, promptsChanged }) {
  addTool(server, 'test_tool_with_progress', 'Reports its progress.', async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
      await mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken, progress, total: 100, message: `Completed step ${progress} of 100` }
      });
      if (progress < 100) await after(50);
    }
    return says(text('Done.'));
  });
  addTool(server, 'test_tool_with_logging', 'Logs what it does.', async ({ mcpReq }) => {
    for (const line of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await mcpReq.log('info', line);
      await after(50);
    }
    return says(text('Done.'));
  });
  addTool(server, 'test_logging_tool', 'Logs one line.', async ({ mcpReq }) => {
    await mcpReq.log('info', 'A line for who asked for it');
    return says(text('Done.'));
  });
  addTool(server, 'test_trigger_tool_change', 'Tells that the tools have changed.', () => {
    toolsChanged();
    return says(text('Told.'));
  });
  addTool(server, 'test_trigger_prompt_change', 'Tells that the prompts have changed.', () => {
    promptsChanged();
    return says(text('Told.'));
  });
  addTool(server, 'test_reconnection', 'Ends the stream before it answers.', async ({ http }) => {
    http?.closeSSE?.();
    await after(100);
    return says(text('Answered after the stream was closed.'));
  });
}

/// In the legacy era the SDK sends what such a tool asks for as requests of its own.
function addAskingTools(server) {
  // The SDK refuses to ask what the client cannot answer.
  addTool(server, 'test_missing_capability', 'Needs a client that samples.', ({ mcpReq }) => {
    const { kind } = inputResponse(mcpReq.inputResponses, 'sample');
    if (kind === 'sampling') return says(text('The client samples.'));
    return inputRequired({ inputRequests: { sample: sample('Say something') } });
  });
  server.registerTool('test_sampling', {
    description: 'Asks the model of the client.',
    inputSchema: schemas.prompt
  }, ({ prompt }, { mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, 'answer');
    if (answer.kind !== 'sampling') return inputRequired({ inputRequests: { answer: sample(prompt) } });
    return says(text(`LLM response: ${JSON.stringify(answer.result.content)}`));
  });
  server.registerTool('test_elicitation', {
    description: 'Asks the user for a name and an address.',
    inputSchema: schemas.message
  }, ({ message }, { mcpReq }) => {
    const properties = { username: { type: 'string' }, email: { type: 'string' } };
    return asked(mcpReq, () => form(message, properties, ['username', 'email']));
  });
  addTool(server, 'test_streaming_elicitation', 'Asks the user for a name.',
    ({ mcpReq }) => asked(mcpReq, () => form('Who are you?', { name: { type: 'string' } })));
  addTool(server, 'test_elicitation_sep1034_defaults', 'Asks with defaults.',
    ({ mcpReq }) => asked(mcpReq, () => form('Please check', {
      name: { type: 'string', default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', default: true }
    })));
  addTool(server, 'test_elicitation_sep1330_enums', 'Asks for choices.',
    ({ mcpReq }) => asked(mcpReq, () => {
      const options = ['option1', 'option2', 'option3'];
      const titled = options.map((name) => ({ const: name, title: `The ${name}` }));
      return form('Please choose', {
        untitledSingle: { type: 'string', enum: options },
        titledSingle: { type: 'string', oneOf: titled },
        legacyEnum: { type: 'string', enum: options, enumNames: ['One', 'Two', 'Three'] },
        untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
        titledMulti: { type: 'array', items: { anyOf: titled } }
      });
    }));
}

/// Asks the user once, then tells what the answer was.
function asked(mcpReq, question) {
  const answer = inputResponse(mcpReq.inputResponses, 'user');
  if (answer.kind !== 'elicit') return inputRequired({ inputRequests: { user: question() } });
  return says(text(`User response: ${answer.action}, ${JSON.stringify(answer.content ?? {})}`));
}

function addToolsWithState(server) {
  const add = (name, description, run) =>
    addTool(server, `test_input_required_result_${name}`, description, ({ mcpReq }) => run(mcpReq));

  add('elicitation', 'Asks the user for a name.', ({ inputResponses }) => {
    const user = acceptedContent(inputResponses, 'user_name', schemas.name);
    if (user) return says(text(`Hello, ${user.name}!`));
    return inputRequired({
      inputRequests: { user_name: form('What is your name?', { name: { type: 'string' } }, ['name']) }
    });
  });
  add('sampling', 'Asks the model of the client.', ({ inputResponses }) => {
    const { kind, result } = inputResponse(inputResponses, 'capital');
    if (kind === 'sampling') return says(text(JSON.stringify(result.content)));
    return inputRequired({ inputRequests: { capital: sample('What is the capital of France?') } });
  });
  add('list_roots', 'Asks for the roots of the client.', ({ inputResponses }) => {
    const { kind, roots } = inputResponse(inputResponses, 'roots');
    if (kind === 'roots') return says(text(`${roots.length} roots`));
    return inputRequired({ inputRequests: { roots: inputRequired.listRoots() } });
  });
  for (const name of ['request_state', 'tampered_state']) {
    add(name, 'Asks the user to confirm, and keeps its state with the client.', async (mcpReq) => {
      if (mcpReq.requestState() && acceptedContent(mcpReq.inputResponses, 'confirm')) {
        return says(text('state-ok'));
      }
      return inputRequired({
        inputRequests: { confirm: confirmation() },
        requestState: await state.mint({ asked: 'confirm' })
      });
    });
  }
  add('multiple_inputs', 'Asks for three things at once.', async ({ inputResponses, requestState }) => {
    if (requestState() && inputResponses) {
      return says(text(`answered: ${Object.keys(inputResponses).join(', ')}`));
    }
    return inputRequired({
      inputRequests: {
        user: form('What is your name?', { name: { type: 'string' } }),
        greeting: sample('Think of a greeting'),
        roots: inputRequired.listRoots()
      },
      requestState: await state.mint({ asked: 'three' })
    });
  });
  add('multi_round', 'Asks for a name, then for a colour.', async ({ inputResponses, requestState }) => {
    const { name } = requestState() ?? {};
    const color = acceptedContent(inputResponses, 'color')?.color;
    if (name !== undefined && color !== undefined) return says(text(`${name} likes ${color}`));
    const newName = acceptedContent(inputResponses, 'name')?.name;
    if (newName !== undefined) {
      return inputRequired({
        inputRequests: { color: form('Which colour?', { color: { type: 'string' } }) },
        requestState: await state.mint({ name: newName })
      });
    }
    return inputRequired({
      inputRequests: { name: form('What is your name?', { name: { type: 'string' } }) },
      requestState: await state.mint({})
    });
  });
  add('capabilities', 'Asks for what the client can do.', ({ envelope, inputResponses }) => {
    const { sampling, elicitation, roots } = envelope?.[capabilitiesKey] ?? {};
    if (inputResponses || !(sampling || elicitation || roots)) return says(text('Nothing is left to ask.'));
    return inputRequired({
      inputRequests: {
        ...(sampling && { greeting: sample('Think of a greeting') }),
        ...(elicitation && { confirm: confirmation() }),
        ...(roots && { roots: inputRequired.listRoots() })
      }
    });
  });
}

function addToolsOfSchemas(server) {
  server.registerTool('test_x_mcp_header', {
    description: 'Takes a region that is mirrored in a header.',
    inputSchema: schemas.region
  }, ({ region }) => says(text(`region: ${region}`)));
  server.registerTool('json_schema_2020_12_tool', {
    description: 'Its schema uses what JSON Schema 2020-12 offers.',
    inputSchema: schemas.contact
  }, (values) => says(text(JSON.stringify(values))));
}

function addPrompts(server) {
  server.registerPrompt('test_simple_prompt', { description: 'A prompt without arguments.' },
    () => said(text('This is a simple prompt for testing.')));
  server.registerPrompt('test_prompt_with_arguments', {
    description: 'A prompt with two arguments.',
    argsSchema: schemas.twoArguments
  }, ({ arg1, arg2 }) => said(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)));
  server.registerPrompt('test_prompt_with_embedded_resource', {
    description: 'A prompt with a resource.',
    argsSchema: schemas.resourceUri
  }, ({ resourceUri }) =>
    said(embedded(resourceUri, 'text/plain', 'Embedded resource content for testing.'),
      text('Please process the resource above.')));
  server.registerPrompt('test_prompt_with_image', { description: 'A prompt with an image.' },
    () => said(image, text('Please look at the image above.')));
  server.registerPrompt('test_input_required_result_prompt', { description: 'Asks the user first.' },
    ({ mcpReq }) => {
      const answer = acceptedContent(mcpReq.inputResponses, 'context');
      if (answer) return said(text(`Context: ${JSON.stringify(answer)}`));
      return inputRequired({
        inputRequests: { context: form('In which context?', { context: { type: 'string' } }) }
      });
    });
}

function addResources(server) {
  const add = (name, mimeType, description, contents) => {
    const uri = `test://${name}`;
    server.registerResource(name, uri, { mimeType, description },
      () => ({ contents: [{ uri, mimeType, ...contents }] }));
  };
  add('static-text', 'text/plain', 'Some text.', { text: 'This is the content of the static text resource.' });
  add('static-binary', 'image/png', 'An image.', { blob: png });
  add('watched-resource', 'text/plain', 'Something to subscribe to.', { text: 'Watched.' });
  server.registerResource('template', new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { mimeType: 'application/json', description: 'Data of an id.' },
    (uri, { id }) => ({
      contents: [{
        uri: uri.href,
        mimeType: 'application/json',
        text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` })
      }]
    }));
}

/// No resource ever changes: that a client watches one needs no memory.
function addSubscriptions(server) {
  for (const method of ['resources/subscribe', 'resources/unsubscribe']) {
    server.server.setRequestHandler(method, () => ({}));
  }
}
