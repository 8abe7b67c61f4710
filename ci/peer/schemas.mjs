// The official JSON schemas, and what they say of a message that a server sends.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

export const legacyRevisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
export const modernRevision = '2026-07-28';

/// The schemas below `folder`, one folder a revision, `ext-tasks` for the Tasks extension.
export class Schemas {
  #folder;
  #loaded = new Map();

  constructor(folder) { this.#folder = folder; }

  /// What is wrong with `message`, sent under `revision`: a list of sentences, empty if nothing is.
  /// `requests` are the client's requests that it may answer.
  violations(message, revision, requests = []) {
    const schema = this.#schema(revision);
    if (typeof message !== 'object' || message === null) return ['it is no JSON-RPC message'];
    if ('method' in message && 'id' in message) return this.#request(schema, message);
    if ('method' in message) return this.#notification(schema, message, revision);
    if ('error' in message) return this.#error(schema, message);
    if ('result' in message) return this.#result(schema, message, revision, requests);
    return ['it is neither request, notification nor response'];
  }

  #request(schema, message) {
    const definition = schema.among('ServerRequest', message.method);
    return definition ? schema.check(definition, message)
      : [`${message.method} is no request of servers in this revision`];
  }

  #notification(schema, message, revision) {
    const definition = schema.among('ServerNotification', message.method);
    if (definition) return schema.check(definition, message);
    if (revision === modernRevision && message.method === 'notifications/tasks') {
      return this.#tasks().check('TaskStatusNotification', message);
    }
    return [`${message.method} is no notification of servers in this revision`];
  }

  #error(schema, message) {
    const found = schema.check(schema.first('JSONRPCErrorResponse', 'JSONRPCError'), message);
    const code = message.error?.code;
    return found.concat(
      schema.errorResponses(code).flatMap((definition) => schema.check(definition, message)),
      schema.errorObjects(code).flatMap((definition) => schema.check(definition, message.error)));
  }

  /// An id may have been used more than once: one request that explains the answer is enough.
  #result(schema, message, revision, requests) {
    const envelope = schema.check(schema.first('JSONRPCResultResponse', 'JSONRPCResponse'), message);
    if (envelope.length > 0) return envelope;
    if (requests.length === 0) return [`nobody asked with the id ${JSON.stringify(message.id)}`];
    const verdicts = requests.map((request) => revision === modernRevision
      ? this.#modernResult(schema, message.result, request)
      : this.#legacyResult(schema, message.result, request));
    return verdicts.find((found) => found.length === 0) ?? verdicts[0];
  }

  #legacyResult(schema, result, request) {
    const definition = schema.resultOf(request.method);
    if (!definition) return [`a result to ${request.method}, which this revision does not have`];
    if (request.params?.task && schema.has('CreateTaskResult')) {
      return schema.check('CreateTaskResult', result);
    }
    if (request.method === 'tasks/result') {
      return schema.check(definition, result).concat(schema.check('CallToolResult', result));
    }
    return schema.check(definition, result);
  }

  #modernResult(schema, result, request) {
    const { method } = request;
    const tasks = this.#tasks();
    const taskResult = tasks.resultOf(method);
    if (taskResult) {
      const found = tasks.check(taskResult, result);
      // What the request would have returned; the examples of tasks.md leave its resultType out.
      return result.result === undefined ? found
        : found.concat(schema.check('CallToolResult', { resultType: 'complete', ...result.result }));
    }
    const definition = schema.resultOf(method);
    if (!definition) return [`a result to ${method}, which this revision does not have`];
    switch (result.resultType) {
      case 'complete':
        return schema.check(definition, result);
      case 'input_required':
        return schema.mayAskForInput(method) ? schema.check('InputRequiredResult', result)
          : [`${method} cannot ask for input`];
      case 'task':
        return method === 'tools/call' ? tasks.check('CreateTaskResult', result)
          : [`${method} cannot become a task`];
      default:
        return [`resultType ${JSON.stringify(result.resultType)} is none that is known`];
    }
  }

  #tasks() { return this.#schema('ext-tasks'); }

  #schema(name) {
    if (!this.#loaded.has(name)) {
      const file = join(this.#folder, name, 'schema.json');
      if (!existsSync(file)) throw new Error(`there is no ${file}`);
      this.#loaded.set(name, new Schema(JSON.parse(readFileSync(file))));
    }
    return this.#loaded.get(name);
  }
}

/// One schema.json and the names of the things in it.
class Schema {
  #ajv;
  #definitions;
  #place;

  constructor(schema) {
    const options = { strict: false, allErrors: true, logger: false };
    this.#ajv = schema.$schema.includes('2020-12') ? new Ajv2020(options) : new Ajv(options);
    addFormats(this.#ajv);
    this.#ajv.addSchema(schema, 'spec');
    this.#place = schema.$defs ? '$defs' : 'definitions';
    this.#definitions = schema[this.#place];
  }

  has(definition) { return definition in this.#definitions; }

  /// The first of these names that this revision has: some were renamed over the years.
  first(...names) { return names.find((name) => this.has(name)); }

  check(definition, value) {
    const validate = this.#ajv.getSchema(`spec#/${this.#place}/${definition}`);
    if (validate(value)) return [];
    return [`${definition}: ${this.#ajv.errorsText(validate.errors, { dataVar: '' })}`];
  }

  /// The alternative of `union` with this method.
  among(union, method) {
    const names = (this.#definitions[union]?.anyOf ?? []).map((one) => one.$ref.split('/').pop());
    return names.find((name) => this.#methodOf(name) === method);
  }

  /// The result that a request with this method has; undefined for unknown methods.
  resultOf(method) {
    const request = Object.keys(this.#definitions)
      .find((name) => name.endsWith('Request') && this.#methodOf(name) === method);
    if (!request) return undefined;
    return this.first(request.replace(/Request$/, 'Result'), 'EmptyResult');
  }

  mayAskForInput(method) {
    const response = this.#definitions[`${this.resultOf(method)}Response`];
    return JSON.stringify(response ?? '').includes('/InputRequiredResult"');
  }

  /// The definitions that speak of whole responses with this error code.
  errorResponses(code) {
    return this.#namesWhere(({ properties }) =>
      properties?.error?.allOf?.some((part) => part.properties?.code?.const === code));
  }

  /// The definitions that speak of the error object alone.
  errorObjects(code) {
    return this.#namesWhere(({ properties }) => properties?.code?.const === code);
  }

  #namesWhere(holds) {
    return Object.keys(this.#definitions).filter((name) => holds(this.#definitions[name]));
  }

  #methodOf(name) {
    const definition = this.#definitions[name];
    return [definition, ...(definition.allOf ?? [])]
      .map((part) => part.properties?.method?.const).find((method) => method !== undefined);
  }
}
