// What a client must be able to do with the reference server, whoever wrote the client, whatever the
// era and the transport. client_v1.mjs and client_v2.mjs bring the clients.

import assert from 'node:assert/strict';

const patienceMs = 10_000;
const watched = 'test://watched-resource';
const filling = { sku: 'mug-enamel', quantity: 2 };

/// Runs every check on one connection, prints a line each, and returns how many failed.
///
/// A `party` has `title`; `client`, connected, with the methods that all official clients share;
/// `call(name, arguments, options)`; `onNotification(method, handler)`; `onElicitation(handler)`,
/// which sets who answers the server's questions; `subscribe(uri)`, which also asks for changes of
/// lists where that must be asked for, and returns how to end it; `eliciting`, the name of a tool
/// that asks the user something.
export async function checkServer(party) {
  let failures = 0;
  for (const [name, check] of Object.entries(checks)) {
    try {
      await within(patienceMs, check(party));
      console.log(`ok     ${party.title}: ${name}`);
    } catch (error) {
      failures += 1;
      console.log(`not ok ${party.title}: ${name}: ${error.message.replace(/\s+/g, ' ')}`);
    }
  }
  return failures;
}

const checks = {
  async 'lists what there is'({ client }) {
    const { tools } = await client.listTools();
    const { prompts } = await client.listPrompts();
    const { resources } = await client.listResources();
    const { resourceTemplates } = await client.listResourceTemplates();
    assert(tools.some(({ name }) => name === 'echo'), 'echo is not among the tools');
    assert(prompts.some(({ name }) => name === 'test_prompt_with_arguments'), 'the prompt is missing');
    assert(resources.some(({ uri }) => uri === watched), 'the resource is missing');
    assert(resourceTemplates.some(({ uriTemplate }) => uriTemplate === 'test://template/{id}/data'),
      'the template is missing');
  },

  async 'reads a resource'({ client }) {
    const { contents } = await client.readResource({ uri: 'test://template/123/data' });
    assert.match(contents[0].text, /123/);
  },

  async 'gets a prompt and completes its argument'({ client }) {
    const name = 'test_prompt_with_arguments';
    const { messages } = await client.getPrompt({ name, arguments: { arg1: 'one', arg2: 'two' } });
    assert.match(JSON.stringify(messages), /one.*two/);
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name }, argument: { name: 'arg1', value: 't' }
    });
    assert(completion.values.length > 0, 'nothing was proposed');
  },

  async 'calls a tool'({ call }) {
    const message = 'ключ-🔑-日本\nand a line';
    assert.equal(textOf(await call('echo', { message })), message);
  },

  async 'a tool that fails has a result'({ call }) {
    assert.equal((await call('test_error_handling')).isError, true);
  },

  async 'an unknown tool is an error'({ call }) {
    await assert.rejects(call('no_such_tool'), { code: -32602 });
  },

  async 'hears of progress'({ call }) {
    const seen = [];
    await call('slow', { duration_ms: 100, steps: 4 }, {
      onprogress: ({ progress }) => seen.push(progress)
    });
    // The last one comes together with the result, and clients drop it.
    assert.deepEqual(seen.slice(0, 3), [1, 2, 3]);
  },

  async 'cancels a call'({ call }) {
    const cancelling = new AbortController();
    await assert.rejects(call('slow', { duration_ms: 600_000, steps: 1000 }, {
      signal: cancelling.signal,
      onprogress: () => cancelling.abort('changed my mind')
    }));
    // The request to end the work and the next question may overtake each other.
    while (textOf(await call('test_active_calls')) !== '0');
  },

  async 'is asked, and answers'({ call, onElicitation, eliciting }) {
    const answer = answerTo(onElicitation, { action: 'accept', content: filledIn });
    const result = await call(eliciting, { message: 'Who are you?' });
    assert.equal(answer.questions, 1);
    assert.match(JSON.stringify(result.content), /Ada/);
  },

  async 'is asked, and declines'({ call, onElicitation, eliciting }) {
    const answer = answerTo(onElicitation, { action: 'decline' });
    const result = await call(eliciting, { message: 'Who are you?' });
    assert.equal(answer.questions, 1);
    assert.doesNotMatch(JSON.stringify(result.content), /Ada/);
  },

  async 'hears of a changed resource, and of changed lists'({ call, subscribe, onNotification }) {
    const unsubscribe = await subscribe(watched);
    const updated = next(onNotification, 'notifications/resources/updated');
    await call('test_touch_watched_resource');
    assert.equal((await updated).params.uri, watched);

    const changed = next(onNotification, 'notifications/tools/list_changed');
    await call('test_trigger_tool_change');
    await changed;
    await unsubscribe();
  },

  async 'buys'({ call, onElicitation }) {
    const cart_id = await filledCart(call);
    const answer = answerTo(onElicitation, { action: 'accept', content: () => ({ confirm: true }) });
    const { structuredContent } = await succeeding(call('cart_checkout', { cart_id }));
    assert.equal(answer.questions, 1);
    assert.match(JSON.stringify(structuredContent), /order/);
  },

  async 'declines to buy'({ call, onElicitation }) {
    const cart_id = await filledCart(call);
    const answer = answerTo(onElicitation, { action: 'decline' });
    const { structuredContent } = await call('cart_checkout', { cart_id });
    assert.equal(answer.questions, 1);
    assert.doesNotMatch(JSON.stringify(structuredContent ?? {}), /order_id/);
    const view = await succeeding(call('cart_view', { cart_id }));
    assert.match(JSON.stringify(view.structuredContent), new RegExp(filling.sku));
  }
};

async function filledCart(call) {
  const catalog = await succeeding(call('catalog_list'));
  assert.match(JSON.stringify(catalog.structuredContent), new RegExp(filling.sku));
  const { structuredContent: { cart_id } } = await succeeding(call('cart_create'));
  await succeeding(call('cart_add_item', { cart_id, ...filling }));
  return cart_id;
}

async function succeeding(calling) {
  const result = await calling;
  assert(!result.isError, `the tool failed: ${JSON.stringify(result.content)}`);
  return result;
}

/// Answers questions so from now on; `content` makes the content from what is asked for. Returns the
/// number of questions so far.
function answerTo(onElicitation, { action, content }) {
  const counter = { questions: 0 };
  onElicitation(({ params }) => {
    counter.questions += 1;
    return content ? { action, content: content(params.requestedSchema) } : { action };
  });
  return counter;
}

/// Something for each member of the form; Ada for what is free text.
function filledIn({ properties }) {
  return Object.fromEntries(Object.entries(properties).map(([name, { format }]) =>
    [name, format === 'email' || name === 'email' ? 'ada@example.com' : 'Ada']));
}

const textOf = ({ content }) => content.map(({ text }) => text ?? '').join('');

const next = (onNotification, method) =>
  new Promise((resolve) => onNotification(method, resolve));

function within(milliseconds, promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done in ${milliseconds} ms`)), milliseconds);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
