/** Example streams of the responses operation. The response objects inside are shortened. */
import type { ResponseStreamEvent } from '../../../contract/responses/events.ts';
import type { OutputItem } from '../../../contract/responses/items.ts';
import type { StreamExample } from './example.ts';

const head = { id: 'resp_5b17d0', object: 'response', created_at: 1790000000, model: 'gpt-5.4' } as const;
const usage = { input_tokens: 14, output_tokens: 12, total_tokens: 26 };

/** An event without `sequence_number`. A test checks it against the contract, because `Omit` on a union would lose the other fields. */
type Unnumbered = Readonly<Record<string, unknown>> & { readonly type: ResponseStreamEvent['type'] };

const numbered = (events: readonly Unnumbered[]) => events.map((event, index) => ({ ...event, sequence_number: index }));

const opening: readonly Unnumbered[] = [
  { type: 'response.created', response: { ...head, status: 'in_progress', output: [], usage: null } },
  { type: 'response.in_progress', response: { ...head, status: 'in_progress', output: [], usage: null } },
];

const at = { item_id: 'msg_1', output_index: 0, content_index: 0 };
const words = 'Air scatters blue light more than red.';
const part = (text: string) => ({ type: 'output_text' as const, text, annotations: [], logprobs: [] });
const message = (status: 'in_progress' | 'completed' | 'incomplete', text?: string): OutputItem => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  status,
  content: text === undefined ? [] : [part(text)],
});

const firstWords: readonly Unnumbered[] = [
  { type: 'response.output_item.added', output_index: 0, item: message('in_progress') },
  { type: 'response.content_part.added', ...at, part: part('') },
  { type: 'response.output_text.delta', ...at, delta: 'Air scatters', logprobs: [] },
];

const text = numbered([
  ...opening,
  ...firstWords,
  { type: 'response.output_text.delta', ...at, delta: ' blue light more than red.', logprobs: [] },
  { type: 'response.output_text.done', ...at, text: words, logprobs: [] },
  { type: 'response.content_part.done', ...at, part: part(words) },
  { type: 'response.output_item.done', output_index: 0, item: message('completed', words) },
  { type: 'response.completed', response: { ...head, status: 'completed', output: [message('completed', words)], usage } },
]);

const call = (status: 'in_progress' | 'completed', args: string): OutputItem => ({
  id: 'fc_1',
  type: 'function_call',
  call_id: 'call_1',
  name: 'get_weather',
  arguments: args,
  status,
});
const callAt = { item_id: 'fc_1', output_index: 0 };
const args = '{"city":"Oslo"}';

const functionCall = numbered([
  ...opening,
  { type: 'response.output_item.added', output_index: 0, item: call('in_progress', '') },
  { type: 'response.function_call_arguments.delta', ...callAt, delta: '{"city":' },
  { type: 'response.function_call_arguments.delta', ...callAt, delta: '"Oslo"}' },
  { type: 'response.function_call_arguments.done', ...callAt, name: 'get_weather', arguments: args },
  { type: 'response.output_item.done', output_index: 0, item: call('completed', args) },
  { type: 'response.completed', response: { ...head, status: 'completed', output: [call('completed', args)], usage } },
]);

const fault = { code: 'upstream_error', message: 'The upstream failed.', param: null } as const;
const failed = numbered([
  ...opening,
  ...firstWords,
  { type: 'error', ...fault, error: { type: 'server_error', ...fault } },
  {
    type: 'response.failed',
    response: {
      ...head,
      status: 'failed',
      error: { code: fault.code, message: fault.message },
      output: [message('incomplete', 'Air scatters')],
      usage: null,
    },
  },
]);

export const responseStreams: Readonly<Record<string, StreamExample>> = {
  text: { summary: 'A text', events: text },
  functionCall: { summary: 'A function call, with its arguments in pieces', events: functionCall },
  failed: { summary: 'An upstream that closed the connection midway', events: failed },
};
