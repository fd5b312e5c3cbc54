/** Makes the calls that a tool would make, for `--test` when the tool isn't installed or its own run failed. */

import { randomBytes } from 'node:crypto';
import { type Fields, isFields } from '../../server/primitives/fields.ts';
import { parseEventStream } from '../verify/event-stream.ts';
import type { HttpResponse } from '../verify/target.ts';
import { Violation } from '../verify/violation.ts';
import { ConnectError, type GatewayCall } from './gateway-calls.ts';
import { describeRejection } from './key-models.ts';
import { PROMPT, type RunOptions, type TestResult } from './run-tool.ts';

/**
 * Performs the same task with the calls that the tool would make: streams with tools, continued with their results
 * until the file is written.
 */
export async function makeTestCalls(
  call: GatewayCall,
  { recipe, connection }: Pick<RunOptions, 'recipe' | 'connection'>,
): Promise<TestResult> {
  const word = randomBytes(6).toString('hex');
  const { model } = connection;
  const conversation =
    recipe.protocol === 'responses' ? createResponsesConversation(call, model.id) : createChatConversation(call, model.id);
  const startedAt = performance.now();
  for (let turn = 0; turn < 6; turn++) {
    const calls = await conversation.next();
    for (const { id, name, args } of calls) {
      if (name === 'write_file' && args.includes(word)) {
        const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
        return { isDone: true, text: `${model.id} read a file and wrote another with the calls of ${recipe.name} in ${seconds} s.` };
      }
      conversation.add(id, name === 'read_file' ? word : 'done');
    }
    if (calls.length === 0) break;
  }
  return { isDone: false, text: `${model.id} didn't call the tools as the prompt asked. Try another model with --model.` };
}

interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON. */
  readonly args: string;
}

interface Conversation {
  next(): Promise<readonly ToolCall[]>;
  add(id: string, result: string): void;
}

const createParameters = (...names: readonly string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  required: names,
  additionalProperties: false,
});

const functions = [
  { name: 'read_file', description: 'Reads a file.', parameters: createParameters('path') },
  { name: 'write_file', description: 'Writes a file.', parameters: createParameters('path', 'content') },
];

const toList = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value : []);

const toFields = (value: unknown): Fields => (isFields(value) ? value : {});

async function streamEvents(call: GatewayCall, path: string, body: object): Promise<readonly Fields[]> {
  const gatewayResponse = await call(path, body);
  if (gatewayResponse.status !== 200) throw new ConnectError(describeRejection(gatewayResponse));
  const events = parseEvents(gatewayResponse);
  const errors = events.map(({ error, response }) => toFields(error ?? toFields(response).error));
  const streamError = errors.find(({ message }) => message !== undefined);
  if (streamError) throw new ConnectError(`The stream ended with an error: ${String(streamError.message)}`);
  return events;
}

function parseEvents(response: HttpResponse): readonly Fields[] {
  try {
    return parseEventStream(response).events.map(({ data }) => data);
  } catch (error) {
    throw error instanceof Violation
      ? new ConnectError(`The response isn't a stream of events: ${error.message}. Check for a proxy in between.`)
      : error;
  }
}

function createResponsesConversation(call: GatewayCall, model: string): Conversation {
  const input: Fields[] = [{ role: 'user', content: PROMPT }];
  const tools = functions.map((one) => ({ type: 'function', strict: true, ...one }));
  return {
    async next() {
      const events = await streamEvents(call, '/responses', { model, input, tools, stream: true, store: false });
      const output = toList(toFields(events.find(({ type }) => type === 'response.completed')?.response).output);
      input.push(...output);
      const calls = output.filter(({ type }) => type === 'function_call');
      return calls.map(({ call_id: id, name, arguments: args }) => ({ id: String(id), name: String(name), args: String(args) }));
    },
    add: (id, output) => input.push({ type: 'function_call_output', call_id: id, output }),
  };
}

function createChatConversation(call: GatewayCall, model: string): Conversation {
  const messages: Fields[] = [{ role: 'user', content: PROMPT }];
  const tools = functions.map((one) => ({ type: 'function', function: one }));
  return {
    async next() {
      const events = await streamEvents(call, '/chat/completions', { model, messages, tools, stream: true });
      const deltas = events.flatMap(({ choices }) => toList(toFields(toList(choices)[0]?.delta).tool_calls));
      const calls = [...new Set(deltas.map(({ index }) => index))].map((index) => joinDeltas(deltas.filter((one) => one.index === index)));
      const toolCalls = calls.map(({ id, name, args }) => ({ id, type: 'function', function: { name, arguments: args } }));
      messages.push({ role: 'assistant', content: null, ...(toolCalls.length > 0 && { tool_calls: toolCalls }) });
      return calls;
    },
    add: (id, content) => messages.push({ role: 'tool', tool_call_id: id, content }),
  };
}

function joinDeltas(deltas: readonly Fields[]): ToolCall {
  const joinField = (getField: (delta: Fields) => unknown): string => deltas.map((delta) => String(getField(delta) ?? '')).join('');
  return {
    id: joinField(({ id }) => id),
    name: joinField((delta) => toFields(delta.function).name),
    args: joinField((delta) => toFields(delta.function).arguments),
  };
}
