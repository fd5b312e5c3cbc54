/** Checks function calls in chat completions and responses. */

import { ChatCompletion, ChatCompletionChunk } from '../../contract/chat/completion.ts';
import { Response } from '../../contract/responses.ts';
import { findOrderFault } from '../../server/protocols/responses/order-check.ts';
import { assert, assertAll, parseOkBody, parseWithSchema } from './assert.ts';
import type { Check } from './check.ts';
import { parseEventStream } from './event-stream.ts';
import { MAX_TOKENS } from './request.ts';
import type { VerifyClient } from './target.ts';
import { Violation } from './violation.ts';

const TOOL_NAME = 'add_numbers';

const parameters = {
  type: 'object',
  properties: { a: { type: 'integer' }, b: { type: 'integer' } },
  required: ['a', 'b'],
  additionalProperties: false,
};

const questionMessage = { role: 'user', content: `Use ${TOOL_NAME} to add 2 and 3.` };

const TOOL_DESCRIPTION = 'Adds two numbers.';

const createChatToolsRequest = ({ model }: VerifyClient, messages: readonly unknown[], choice: unknown) => ({
  model,
  messages,
  max_completion_tokens: MAX_TOKENS,
  tool_choice: choice,
  tools: [{ type: 'function', function: { name: TOOL_NAME, description: TOOL_DESCRIPTION, parameters } }],
});

const forcedChatChoice = { type: 'function', function: { name: TOOL_NAME } };

const createResponseToolsRequest = ({ model }: VerifyClient, input: readonly unknown[], choice: unknown) => ({
  model,
  input,
  max_output_tokens: MAX_TOKENS,
  tool_choice: choice,
  store: false,
  tools: [{ type: 'function', name: TOOL_NAME, description: TOOL_DESCRIPTION, parameters, strict: true }],
});

const forcedResponseChoice = { type: 'function', name: TOOL_NAME };

function assertFunctionCall(functionName: string, text: string): void {
  assert(functionName === TOOL_NAME, `the call is to ${functionName}, not ${TOOL_NAME}`);
  const args: unknown = parseArguments(text);
  const hasAllFields = typeof args === 'object' && args !== null && 'a' in args && 'b' in args;
  assert(hasAllFields, `the arguments ${text.slice(0, 80)} lack a field that the schema requires`);
}

function parseArguments(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Violation(`the arguments aren't JSON: ${text.slice(0, 80)}`);
  }
}

export const toolChecks: readonly Check[] = [
  {
    group: 'tools',
    area: 'chat',
    name: 'calls a tool in chat, and continues with its result',
    async run(caller) {
      const first = await caller.send('/chat/completions', { json: createChatToolsRequest(caller, [questionMessage], forcedChatChoice) });
      const { choices } = parseOkBody(first, ChatCompletion);
      const { tool_calls: calls = [], content } = choices[0]?.message ?? {};
      const [call] = calls ?? [];
      if (call?.type !== 'function') throw new Violation(`the message has no function call: ${content ?? ''}`);
      assertFunctionCall(call.function.name, call.function.arguments);
      const messages = [questionMessage, { role: 'assistant', tool_calls: [call] }, { role: 'tool', tool_call_id: call.id, content: '5' }];
      const second = await caller.send('/chat/completions', { json: createChatToolsRequest(caller, messages, 'none') });
      assert(Boolean(parseOkBody(second, ChatCompletion).choices[0]?.message.content), 'no text follows the tool result');
    },
  },
  {
    group: 'tools',
    area: 'responses',
    name: 'calls a tool in a response, and continues with its result',
    async run(caller) {
      const first = await caller.send('/responses', { json: createResponseToolsRequest(caller, [questionMessage], forcedResponseChoice) });
      const { output } = parseOkBody(first, Response);
      const call = output.find(({ type }) => type === 'function_call');
      if (call?.type !== 'function_call') throw new Violation('the output has no function call');
      assertFunctionCall(call.name, call.arguments);
      const result = { type: 'function_call_output', call_id: call.call_id, output: '5' };
      const second = await caller.send('/responses', {
        json: createResponseToolsRequest(caller, [questionMessage, ...output, result], 'none'),
      });
      const hasMessage = parseOkBody(second, Response).output.some(({ type }) => type === 'message');
      assert(hasMessage, 'no message follows the tool result');
    },
  },
  {
    group: 'tools',
    area: 'chat',
    name: "streams one tool call in chat, and finishes with 'tool_calls'",
    async run(caller) {
      const json = { ...createChatToolsRequest(caller, [questionMessage], forcedChatChoice), stream: true };
      const { events } = parseEventStream(await caller.send('/chat/completions', { json }));
      const chunks = events.map(({ data }, index) => parseWithSchema(ChatCompletionChunk, data, `chunk ${index}`));
      const choices = chunks.flatMap((chunk) => chunk.choices);
      const pieces = choices.flatMap(({ delta }) => delta.tool_calls ?? []);
      const ids = pieces.flatMap(({ id }) => id ?? []);
      const names = pieces.flatMap((piece) => piece.function?.name ?? []);
      const isFinished = choices.some(({ finish_reason: reason }) => reason === 'tool_calls' || reason === 'stop');
      assertAll([
        () => assert(new Set(ids).size === 1, `expected 1 call ID in the chunks, got ${new Set(ids).size}`),
        () => assertFunctionCall(names.join(''), pieces.map((piece) => piece.function?.arguments ?? '').join('')),
        () => assert(isFinished, "the finish reason isn't 'tool_calls'"),
      ]);
    },
  },
  {
    group: 'tools',
    area: 'responses',
    name: 'streams the arguments of a tool call, and repeats them in the final event',
    async run(caller) {
      const json = { ...createResponseToolsRequest(caller, [questionMessage], forcedResponseChoice), stream: true };
      const { events } = parseEventStream(await caller.send('/responses', { json }));
      const filterEvents = (type: string) => events.filter(({ data }) => data.type === type).map(({ data }) => data);
      const joinedArguments = filterEvents('response.function_call_arguments.delta')
        .map(({ delta }) => String(delta))
        .join('');
      const [finalEvent] = filterEvents('response.completed');
      const { output } = parseWithSchema(Response, finalEvent?.response, 'the final response');
      const call = output.find(({ type }) => type === 'function_call');
      if (call?.type !== 'function_call') throw new Violation('the final output has no function call');
      const fault = findOrderFault(events.map(({ data }) => data));
      assert(fault === null, fault ?? '');
      assertFunctionCall(call.name, joinedArguments);
      assert(
        joinedArguments === call.arguments,
        `the deltas join to ${joinedArguments.slice(0, 80)}, but the final event has ${call.arguments.slice(0, 80)}`,
      );
    },
  },
];
