/** Checks of tools: a call that is forced, in both protocols, and its result on the way back; behind them may be any vendor. */
import { ChatCompletion, ChatCompletionChunk } from '../../contract/chat-completion.ts';
import { Response } from '../../contract/responses.ts';
import { orderFault } from '../dialects/responses/order.ts';
import type { Caller } from './caller.ts';
import { type Check, fitting, goodBody } from './check.ts';
import { streamOf } from './events.ts';
import { demand, demandAll, Violation } from './violation.ts';

const NAME = 'add_numbers';
const parameters = {
  type: 'object',
  properties: { a: { type: 'integer' }, b: { type: 'integer' } },
  required: ['a', 'b'],
  additionalProperties: false,
};
const question = { role: 'user', content: `Use ${NAME} to add 2 and 3.` };
const DESCRIPTION = 'Adds two numbers.';
const MOST_TOKENS = 1_000;

const chatTools = ({ model }: Caller, messages: readonly unknown[], choice: unknown) => ({
  model,
  messages,
  max_completion_tokens: MOST_TOKENS,
  tool_choice: choice,
  tools: [{ type: 'function', function: { name: NAME, description: DESCRIPTION, parameters } }],
});
const forced = { type: 'function', function: { name: NAME } };

const responseTools = ({ model }: Caller, input: readonly unknown[], choice: unknown) => ({
  model,
  input,
  max_output_tokens: MOST_TOKENS,
  tool_choice: choice,
  store: false,
  tools: [{ type: 'function', name: NAME, description: DESCRIPTION, parameters, strict: true }],
});
const forcedResponse = { type: 'function', name: NAME };

function demandCall(called: string, text: string): void {
  demand(called === NAME, `the call is of ${called}, not of ${NAME}`);
  const given: unknown = parseArguments(text);
  const isWhole = typeof given === 'object' && given !== null && 'a' in given && 'b' in given;
  demand(isWhole, `the arguments ${text.slice(0, 80)} lack what the schema requires`);
}

function parseArguments(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Violation(`the arguments are not JSON: ${text.slice(0, 80)}`);
  }
}

export const tools: readonly Check[] = [
  {
    group: 'tools',
    area: 'chat',
    name: 'calls a tool in chat, and continues with its result',
    async run(caller) {
      const first = await caller.ask('/chat/completions', { json: chatTools(caller, [question], forced) });
      const { choices } = goodBody(first, ChatCompletion);
      const { tool_calls: calls = [], content } = choices[0]?.message ?? {};
      const [call] = calls ?? [];
      if (call?.type !== 'function') throw new Violation(`there is no call of a function: ${content ?? ''}`);
      demandCall(call.function.name, call.function.arguments);
      const messages = [question, { role: 'assistant', tool_calls: [call] }, { role: 'tool', tool_call_id: call.id, content: '5' }];
      const second = await caller.ask('/chat/completions', { json: chatTools(caller, messages, 'none') });
      demand(Boolean(goodBody(second, ChatCompletion).choices[0]?.message.content), 'there is no text after the result');
    },
  },
  {
    group: 'tools',
    area: 'responses',
    name: 'calls a tool in a response, and continues with its result',
    async run(caller) {
      const first = await caller.ask('/responses', { json: responseTools(caller, [question], forcedResponse) });
      const { output } = goodBody(first, Response);
      const call = output.find(({ type }) => type === 'function_call');
      if (call?.type !== 'function_call') throw new Violation('the output has no call of a function');
      demandCall(call.name, call.arguments);
      const result = { type: 'function_call_output', call_id: call.call_id, output: '5' };
      const second = await caller.ask('/responses', { json: responseTools(caller, [question, ...output, result], 'none') });
      const isTold = goodBody(second, Response).output.some(({ type }) => type === 'message');
      demand(isTold, 'there is no message after the result');
    },
  },
  {
    group: 'tools',
    area: 'chat',
    name: 'streams a call in chat whose pieces join to one call, and ends for it',
    async run(caller) {
      const json = { ...chatTools(caller, [question], forced), stream: true };
      const { events } = streamOf(await caller.ask('/chat/completions', { json }));
      const chunks = events.map(({ data }, index) => fitting(ChatCompletionChunk, data, `chunk ${index}`));
      const choices = chunks.flatMap((chunk) => chunk.choices);
      const pieces = choices.flatMap(({ delta }) => delta.tool_calls ?? []);
      const ids = pieces.flatMap(({ id }) => id ?? []);
      const names = pieces.flatMap((piece) => piece.function?.name ?? []);
      const isEnded = choices.some(({ finish_reason: reason }) => reason === 'tool_calls' || reason === 'stop');
      demandAll([
        () => demand(new Set(ids).size === 1, `the pieces have ${new Set(ids).size} ids of calls, not 1`),
        () => demandCall(names.join(''), pieces.map((piece) => piece.function?.arguments ?? '').join('')),
        () => demand(isEnded, 'the stream does not end for the call'),
      ]);
    },
  },
  {
    group: 'tools',
    area: 'responses',
    name: 'streams the arguments of a call, and repeats the same at the end',
    async run(caller) {
      const json = { ...responseTools(caller, [question], forcedResponse), stream: true };
      const { events } = streamOf(await caller.ask('/responses', { json }));
      const of = (type: string) => events.filter(({ data }) => data.type === type).map(({ data }) => data);
      const joined = of('response.function_call_arguments.delta')
        .map(({ delta }) => String(delta))
        .join('');
      const [end] = of('response.completed');
      const { output } = fitting(Response, end?.response, 'the response at the end');
      const call = output.find(({ type }) => type === 'function_call');
      if (call?.type !== 'function_call') throw new Violation('the output at the end has no call of a function');
      const fault = orderFault(events.map(({ data }) => data));
      demand(fault === null, fault ?? '');
      demandCall(call.name, joined);
      demand(joined === call.arguments, `the pieces join to ${joined.slice(0, 80)}, the end has ${call.arguments.slice(0, 80)}`);
    },
  },
];
