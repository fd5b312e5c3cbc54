/** Builds responses in the vendor's format, whole and as a stream of `response.*` events. */
import { cutText, type FakeToolCall, fakeCreated, fakeText, joinText } from './chat.ts';
import type { SseEvent } from './frames.ts';
import { oddField } from './odd.ts';

export const responseUsage = {
  input_tokens: 11,
  input_tokens_details: { cached_tokens: 3 },
  output_tokens: 7,
  output_tokens_details: { reasoning_tokens: 2 },
  total_tokens: 18,
};

export interface ResponseReply {
  readonly id?: string;
  readonly model?: string;
  /** As in a chat reply. */
  readonly text?: string | readonly string[] | null;
  readonly refusal?: string;
  /** A reasoning summary. Its item comes first and has `encrypted_content`. */
  readonly reasoning?: string | readonly string[];
  readonly toolCalls?: readonly FakeToolCall[];
  readonly status?: 'completed' | 'incomplete' | 'failed';
  readonly incompleteReason?: 'max_output_tokens' | 'content_filter';
  readonly error?: { readonly code: string; readonly message: string };
  /** Sent unchanged, also null. */
  readonly usage?: unknown;
  /** Request fields that the vendor repeats, such as `store`, `metadata` or `tools`. */
  readonly echo?: Readonly<Record<string, unknown>>;
  readonly extra?: Readonly<Record<string, unknown>> | null;
}

type Item = Readonly<Record<string, unknown>> & { readonly id: string };
type Event = Readonly<Record<string, unknown>> & { readonly type: string };
/** An output item and the events that stream it, without `output_index` and `sequence_number`, which are added later. */
interface FakeAnswer {
  readonly item: Item;
  readonly opening: Item;
  readonly events: readonly Event[];
}

export function response(reply: ResponseReply = {}): Record<string, unknown> {
  const status = reply.status ?? 'completed';
  return {
    ...shell(reply),
    status,
    completed_at: status === 'completed' ? fakeCreated + 1 : null,
    error: status === 'failed' ? (reply.error ?? { code: 'server_error', message: 'The fake vendor failed.' }) : null,
    incomplete_details: status === 'incomplete' ? { reason: reply.incompleteReason ?? 'max_output_tokens' } : null,
    output: tellAll(reply).map((told) => told.item),
    usage: reply.usage === undefined ? responseUsage : reply.usage,
  };
}

/** The events of a stream. As at the real vendor, no `[DONE]` follows the terminal event. */
export function responseFrames(reply: ResponseReply = {}): SseEvent[] {
  const begun = { ...shell(reply), status: 'in_progress' };
  const events: Event[] = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...tellAll(reply).flatMap(({ item, opening, events: inner }, output_index) => [
      { type: 'response.output_item.added', output_index, item: opening },
      ...inner.map((event) => ({ ...event, item_id: item.id, output_index })),
      { type: 'response.output_item.done', output_index, item },
    ]),
    { type: `response.${reply.status ?? 'completed'}`, response: response(reply) },
  ];
  return events.map((event, sequence_number) => ({ event: event.type, data: { ...event, sequence_number, ...extraOf(reply) } }));
}

/** A stream with status 200 that fails with a capacity error at its beginning. */
export function failedFrames(error: { readonly code: string; readonly message: string }): SseEvent[] {
  const failed = { ...response({ status: 'failed', error, usage: null }), output: [] };
  return [{ event: 'response.failed', data: { type: 'response.failed', sequence_number: 0, response: failed } }];
}

function shell(reply: ResponseReply): Record<string, unknown> {
  return {
    id: reply.id ?? 'resp_fake',
    object: 'response',
    created_at: fakeCreated,
    ...extraOf(reply),
    status: 'completed',
    completed_at: null,
    error: null,
    incomplete_details: null,
    instructions: null,
    model: reply.model ?? 'gpt-5.4',
    output: [],
    previous_response_id: null,
    tools: [],
    tool_choice: 'auto',
    parallel_tool_calls: true,
    text: { format: { type: 'text' }, verbosity: 'medium' },
    reasoning: { effort: null, summary: null },
    temperature: 1,
    top_p: 1,
    presence_penalty: 0,
    frequency_penalty: 0,
    top_logprobs: 0,
    max_output_tokens: null,
    max_tool_calls: null,
    truncation: 'disabled',
    store: true,
    background: false,
    service_tier: 'default',
    metadata: {},
    safety_identifier: null,
    prompt_cache_key: null,
    user: null,
    usage: null,
    ...reply.echo,
  };
}

function extraOf({ extra }: ResponseReply): Readonly<Record<string, unknown>> {
  return extra === undefined ? oddField : (extra ?? {});
}

function tellAll(reply: ResponseReply): FakeAnswer[] {
  const isQuiet = reply.text === null || (reply.text === undefined && (reply.toolCalls?.length || reply.refusal !== undefined));
  return [
    ...(reply.reasoning === undefined ? [] : [tellReasoning(reply.reasoning)]),
    ...(isQuiet ? [] : [tellMessage('output_text', reply.text ?? fakeText, reply)]),
    ...(reply.refusal === undefined ? [] : [tellMessage('refusal', reply.refusal, reply)]),
    ...(reply.toolCalls ?? []).map(tellCall),
  ];
}

function tellMessage(kind: 'output_text' | 'refusal', text: string | readonly string[], reply: ResponseReply): FakeAnswer {
  const field = kind === 'refusal' ? 'refusal' : 'text';
  const logprobs = kind === 'refusal' ? {} : { logprobs: [] };
  const part = (words: string): Record<string, unknown> => ({
    type: kind,
    [field]: words,
    ...(kind === 'refusal' ? {} : { annotations: [], logprobs: [] }),
  });
  const whole = part(joinText(text));
  const message = { id: kind === 'refusal' ? 'msg_fake_no' : 'msg_fake', type: 'message', role: 'assistant' };
  return {
    item: { ...message, status: reply.status === 'incomplete' ? 'incomplete' : 'completed', content: [whole] },
    opening: { ...message, status: 'in_progress', content: [] },
    events: [
      { type: 'response.content_part.added', content_index: 0, part: part('') },
      ...cutText(text).map((delta) => ({ type: `response.${kind}.delta`, content_index: 0, delta, ...logprobs })),
      { type: `response.${kind}.done`, content_index: 0, [field]: joinText(text), ...logprobs },
      { type: 'response.content_part.done', content_index: 0, part: whole },
    ],
  };
}

function tellReasoning(summary: string | readonly string[]): FakeAnswer {
  const part = { type: 'summary_text', text: joinText(summary) };
  const item = { id: 'rs_fake', type: 'reasoning' };
  return {
    item: { ...item, summary: [part], encrypted_content: 'ZmFrZSByZWFzb25pbmc=' },
    opening: { ...item, summary: [] },
    events: [
      { type: 'response.reasoning_summary_part.added', summary_index: 0, part: { ...part, text: '' } },
      ...cutText(summary).map((delta) => ({ type: 'response.reasoning_summary_text.delta', summary_index: 0, delta })),
      { type: 'response.reasoning_summary_text.done', summary_index: 0, text: part.text },
      { type: 'response.reasoning_summary_part.done', summary_index: 0, part },
    ],
  };
}

function tellCall(call: FakeToolCall, index: number): FakeAnswer {
  const input = joinText(call.arguments);
  const field = call.custom ? 'input' : 'arguments';
  const type = call.custom ? 'custom_tool_call' : 'function_call';
  const stem = call.custom ? 'response.custom_tool_call_input' : 'response.function_call_arguments';
  const item = { id: `${call.custom ? 'ctc' : 'fc'}_fake_${index}`, type, call_id: call.id, name: call.name };
  return {
    item: { ...item, [field]: input, status: 'completed' },
    opening: { ...item, [field]: '', status: 'in_progress' },
    events: [
      ...cutText(call.arguments).map((delta) => ({ type: `${stem}.delta`, delta })),
      { type: `${stem}.done`, [field]: input, ...(call.custom ? {} : { name: call.name }) },
    ],
  };
}
