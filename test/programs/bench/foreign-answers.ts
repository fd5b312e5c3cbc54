/** What the benchmark's vendor answers in protocols that only vendors speak, and as a stream of responses: precomputed, like all it says. */

import { modelEvent } from '../../fakes/event-stream.ts';
import { answerText, doneMark, fullSpeedEvents, type Transcript, word } from './answers.ts';
import { model } from './payloads.ts';

type Json = Readonly<Record<string, unknown>>;

const event = (name: string, rest: Json): Buffer => Buffer.from(`event: ${name}\ndata: ${JSON.stringify({ type: name, ...rest })}\n\n`);
const whole = (value: Json): Buffer => Buffer.from(JSON.stringify(value));

const anthropicHead = { id: 'msg_bench', type: 'message', role: 'assistant', model, stop_sequence: null };
const anthropicUsage = { input_tokens: 40, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 200 };

export const anthropicAnswer = whole({
  ...anthropicHead,
  content: [{ type: 'text', text: answerText }],
  stop_reason: 'end_turn',
  usage: anthropicUsage,
});

export const anthropicStream: Transcript = {
  first: Buffer.concat([
    event('message_start', {
      message: { ...anthropicHead, content: [], stop_reason: null, usage: { ...anthropicUsage, output_tokens: 1 } },
    }),
    event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
  ]),
  content: event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: word } }),
  last: [
    event('content_block_stop', { index: 0 }),
    event('message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 200 } }),
    event('message_stop', {}),
  ],
};

const delta = { index: 0, delta: { type: 'text_delta', text: word } };
const framed = (events: Buffer): Buffer =>
  Buffer.concat(
    events
      .toString('utf8')
      .split('\n')
      .flatMap((line) => (line.startsWith('data: ') ? [modelEvent(line.slice('data: '.length))] : [])),
  );

/** The same stream as AWS frames it. */
export const bedrockStream: Transcript = {
  first: framed(anthropicStream.first),
  content: modelEvent({ type: 'content_block_delta', ...delta }),
  last: anthropicStream.last.map(framed),
};

function gemini(text: string, finish: Json): Json {
  return {
    candidates: [{ content: { parts: [{ text }], role: 'model' }, ...finish, index: 0 }],
    usageMetadata: { promptTokenCount: 40, candidatesTokenCount: 200, totalTokenCount: 240 },
    modelVersion: model,
    responseId: 'gemini-bench',
  };
}
const geminiChunk = (text: string, finish: Json): Buffer => Buffer.from(`data: ${JSON.stringify(gemini(text, finish))}\r\n\r\n`);

export const geminiAnswer = whole(gemini(answerText, { finishReason: 'STOP' }));

export const geminiStream: Transcript = {
  first: geminiChunk('', {}),
  content: geminiChunk(word, {}),
  last: [geminiChunk('', { finishReason: 'STOP' })],
};

const response = (rest: Json): Json => ({
  id: 'resp_bench',
  object: 'response',
  created_at: 1_790_000_000,
  error: null,
  incomplete_details: null,
  instructions: null,
  model,
  previous_response_id: null,
  tools: [],
  tool_choice: 'auto',
  parallel_tool_calls: true,
  max_output_tokens: null,
  text: { format: { type: 'text' }, verbosity: 'medium' },
  reasoning: { effort: 'medium', summary: null },
  temperature: 1,
  top_p: 1,
  presence_penalty: 0,
  frequency_penalty: 0,
  top_logprobs: 0,
  truncation: 'disabled',
  store: false,
  background: false,
  service_tier: 'default',
  metadata: {},
  usage: null,
  ...rest,
});
const text = word.repeat(fullSpeedEvents);
const part = (said: string): Json => ({ type: 'output_text', annotations: [], logprobs: [], text: said });
const item = (status: string, content: readonly Json[]): Json => ({ id: 'msg_bench', type: 'message', role: 'assistant', status, content });
const place = { item_id: 'msg_bench', output_index: 0, content_index: 0 };
const responsesUsage = {
  input_tokens: 40,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 200,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 240,
};

/** Each event is the same bytes each time, its number too: nobody reads the numbers of a vendor. */
export const responsesStream: Transcript = {
  first: Buffer.concat([
    event('response.created', { sequence_number: 0, response: response({ status: 'in_progress', output: [] }) }),
    event('response.in_progress', { sequence_number: 1, response: response({ status: 'in_progress', output: [] }) }),
    event('response.output_item.added', { sequence_number: 2, output_index: 0, item: item('in_progress', []) }),
    event('response.content_part.added', { sequence_number: 3, ...place, part: part('') }),
  ]),
  content: event('response.output_text.delta', { sequence_number: 4, ...place, delta: word, logprobs: [], obfuscation: 'a1B2c3D4e5' }),
  last: [
    event('response.output_text.done', { sequence_number: 204, ...place, text, logprobs: [] }),
    event('response.content_part.done', { sequence_number: 205, ...place, part: part(text) }),
    event('response.output_item.done', { sequence_number: 206, output_index: 0, item: item('completed', [part(text)]) }),
    event('response.completed', {
      sequence_number: 207,
      response: response({ status: 'completed', output: [item('completed', [part(text)])], usage: responsesUsage }),
    }),
    doneMark,
  ],
};
