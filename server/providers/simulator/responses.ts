/** Writes a plan as a response, complete or as events. */

import type { ResponseRequest } from '../../../contract/responses.ts';
import type * as wire from '../../protocols/responses/wire.ts';
import type { Event, Unnumbered } from '../../protocols/responses/wire.ts';
import { createId } from './ids.ts';
import { type JsonRecord, toText } from './json-record.ts';
import { describePiece, describePieces } from './logprobs.ts';
import type { CallItem, MessageItem, Plan, PlanItem, ReasoningItem } from './plan.ts';
import type { SimulatorRequest } from './simulator-request.ts';

/** The data shared by all parts of one response, streamed or not. */
export interface SimulatedResponse {
  readonly ask: SimulatorRequest;
  readonly body: JsonRecord;
  readonly plan: Plan;
  readonly items: readonly OutputItem[];
  readonly id: string;
  /** Seconds since 1970. */
  readonly createdAt: number;
}

/** Writes the response object of the opening events, which has no output yet. */
function writeOpeningResponse(response: SimulatedResponse): wire.ResponseObject {
  return writeResponse(response, { completed_at: null, status: 'in_progress', incomplete_details: null, output: [], usage: null });
}

/** Writes the complete response, which the terminal event also contains. `now` is in seconds since 1970. */
export function writeFinalResponse(response: SimulatedResponse, now: number): wire.ResponseObject {
  const { plan, ask } = response;
  return writeResponse(response, {
    completed_at: plan.isCut ? null : now,
    status: plan.isCut ? 'incomplete' : 'completed',
    incomplete_details: plan.isCut ? { reason: 'max_output_tokens' } : null,
    output: response.items.map((item) => writeItem(item, ask)),
    usage: writeUsage(ask, plan),
  });
}

type Progress = Required<Pick<wire.ResponseObject, 'completed_at' | 'status' | 'incomplete_details' | 'output' | 'usage'>>;
/** The gateway validated the body, but parsed JSON has no type. */
type Request = Partial<ResponseRequest>;

function writeResponse({ body, id, createdAt }: SimulatedResponse, { output, usage, ...progress }: Progress): wire.ResponseObject {
  const request = body as Request;
  return {
    id,
    object: 'response',
    created_at: createdAt,
    ...progress,
    error: null,
    instructions: request.instructions ?? null,
    model: toText(body.model),
    output,
    previous_response_id: request.previous_response_id ?? null,
    ...writeToolSettings(request),
    text: writeTextSettings(request.text),
    reasoning: { effort: null, summary: null, ...request.reasoning },
    ...writeSampling(request),
    max_output_tokens: request.max_output_tokens ?? null,
    truncation: request.truncation ?? 'disabled',
    ...writeMetadata(request),
    usage,
  };
}

type Settings<Name extends keyof wire.ResponseObject> = Pick<wire.ResponseObject, Name>;

function writeToolSettings(body: Request): Settings<'tools' | 'tool_choice' | 'parallel_tool_calls' | 'max_tool_calls'> {
  return {
    tools: body.tools?.map(writeTool) ?? [],
    tool_choice: body.tool_choice ?? 'auto',
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    max_tool_calls: body.max_tool_calls ?? null,
  };
}

/** An echoed function has all its keys. */
function writeTool(tool: wire.Tool): wire.Tool {
  if (tool.type !== 'function') return tool;
  return { ...tool, description: tool.description ?? null, parameters: tool.parameters ?? null, strict: tool.strict ?? null };
}

function writeTextSettings(text: Request['text']): NonNullable<wire.ResponseObject['text']> {
  return { ...text, format: writeFormat(text?.format ?? { type: 'text' }), verbosity: text?.verbosity ?? 'medium' };
}

type Format = NonNullable<NonNullable<Request['text']>['format']>;

const writeFormat = (format: Format): Format =>
  format.type === 'json_schema' ? { ...format, description: format.description ?? null, strict: format.strict ?? false } : format;

type Sampling = 'temperature' | 'top_p' | 'presence_penalty' | 'frequency_penalty' | 'top_logprobs';

function writeSampling(body: Request): Settings<Sampling> {
  return {
    temperature: body.temperature ?? 1,
    top_p: body.top_p ?? 1,
    presence_penalty: body.presence_penalty ?? 0,
    frequency_penalty: body.frequency_penalty ?? 0,
    top_logprobs: body.top_logprobs ?? 0,
  };
}

type MetadataField = 'store' | 'background' | 'service_tier' | 'metadata' | 'safety_identifier' | 'prompt_cache_key' | 'user';

function writeMetadata(body: Request): Settings<MetadataField> {
  const tier = toText(body.service_tier);
  return {
    store: body.store ?? true,
    background: false,
    service_tier: tier === '' || tier === 'auto' ? 'default' : tier,
    metadata: body.metadata ?? {},
    safety_identifier: body.safety_identifier ?? null,
    prompt_cache_key: body.prompt_cache_key ?? null,
    user: body.user ?? null,
  };
}

function writeUsage(request: SimulatorRequest, plan: Plan): NonNullable<wire.ResponseObject['usage']> {
  return {
    input_tokens: request.inputTokens,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens: plan.outputTokens,
    output_tokens_details: { reasoning_tokens: plan.reasoningTokens },
    total_tokens: request.inputTokens + plan.outputTokens,
  };
}

/** `now` returns seconds since 1970. It's called at the end, because the stream takes time. */
export function* writeEvents(response: SimulatedResponse, now: () => number): Generator<Event> {
  let sequence = 0;
  for (const { type, ...fields } of writeUnnumberedEvents(response, now)) {
    // `as`: restores the event that the destructuring took apart, with its sequence number in second place.
    yield { type, sequence_number: sequence, ...fields } as Event;
    sequence += 1;
  }
}

function* writeUnnumberedEvents(response: SimulatedResponse, now: () => number): Generator<Unnumbered> {
  yield { type: 'response.created', response: writeOpeningResponse(response) };
  yield { type: 'response.in_progress', response: writeOpeningResponse(response) };
  for (const [output_index, item] of response.items.entries()) {
    yield { type: 'response.output_item.added', output_index, item: openItem(item) };
    yield* writeContent(item, { item_id: item.id, output_index }, response.ask);
    yield { type: 'response.output_item.done', output_index, item: writeItem(item, response.ask) };
  }
  yield { type: response.plan.isCut ? 'response.incomplete' : 'response.completed', response: writeFinalResponse(response, now()) };
}

/** Fields that every event about an item repeats. */
interface ItemPosition {
  readonly item_id: string;
  readonly output_index: number;
}

function writeContent(item: OutputItem, position: ItemPosition, request: SimulatorRequest): Generator<Unnumbered> {
  switch (item.kind) {
    case 'reasoning':
      return writeSummary(item, position);
    case 'message':
      return item.planned.kind === 'refusal' ? writeRefusal(item, position) : writeText(item, position, request);
    case 'call':
      return writeArguments(item, position);
  }
}

function* writeSummary({ planned }: OutputItem & { kind: 'reasoning' }, item: ItemPosition): Generator<Unnumbered> {
  const text = planned.pieces.join('');
  const position = { ...item, summary_index: 0 };
  yield { type: 'response.reasoning_summary_part.added', ...position, part: { type: 'summary_text', text: '' } };
  for (const delta of planned.pieces) yield { type: 'response.reasoning_summary_text.delta', ...position, delta };
  yield { type: 'response.reasoning_summary_text.done', ...position, text };
  yield { type: 'response.reasoning_summary_part.done', ...position, part: { type: 'summary_text', text } };
}

type Message = OutputItem & { kind: 'message' };

function* writeText({ planned }: Message, item: ItemPosition, { topLogprobs }: SimulatorRequest): Generator<Unnumbered> {
  const text = planned.pieces.join('');
  const position = { ...item, content_index: 0 };
  yield { type: 'response.content_part.added', ...position, part: writePart(planned, '', topLogprobs) };
  for (const delta of planned.pieces) {
    const logprobs = topLogprobs === null ? [] : [describePiece(delta, topLogprobs)];
    yield { type: 'response.output_text.delta', ...position, delta, logprobs };
  }
  const logprobs = topLogprobs === null ? [] : describePieces(planned.pieces, topLogprobs);
  yield { type: 'response.output_text.done', ...position, text, logprobs };
  yield { type: 'response.content_part.done', ...position, part: writePart(planned, text, topLogprobs) };
}

function* writeRefusal({ planned }: Message, item: ItemPosition): Generator<Unnumbered> {
  const refusal = planned.pieces.join('');
  const position = { ...item, content_index: 0 };
  yield { type: 'response.content_part.added', ...position, part: writePart(planned, '', null) };
  for (const delta of planned.pieces) yield { type: 'response.refusal.delta', ...position, delta };
  yield { type: 'response.refusal.done', ...position, refusal };
  yield { type: 'response.content_part.done', ...position, part: writePart(planned, refusal, null) };
}

function* writeArguments({ planned }: OutputItem & { kind: 'call' }, position: ItemPosition): Generator<Unnumbered> {
  const { tool, pieces } = planned;
  const text = pieces.join('');
  if (tool.kind === 'custom') {
    for (const delta of pieces) yield { type: 'response.custom_tool_call_input.delta', ...position, delta };
    yield { type: 'response.custom_tool_call_input.done', ...position, input: text };
  } else {
    for (const delta of pieces) yield { type: 'response.function_call_arguments.delta', ...position, delta };
    yield { type: 'response.function_call_arguments.done', ...position, name: tool.name, arguments: text };
  }
}

/** A planned item with its IDs, which every event about the item repeats. */
type OutputItem = { readonly id: string } & (
  | { readonly kind: 'reasoning'; readonly planned: ReasoningItem }
  | { readonly kind: 'message'; readonly planned: MessageItem }
  | { readonly kind: 'call'; readonly planned: CallItem; readonly callId: string }
);

export function assignIds(planItem: PlanItem): OutputItem {
  switch (planItem.kind) {
    case 'reasoning':
      return { kind: 'reasoning', id: createId('rs_'), planned: planItem };
    case 'call':
      return { kind: 'call', id: createId(planItem.tool.kind === 'custom' ? 'ctc_' : 'fc_'), callId: createId('call_'), planned: planItem };
    default:
      return { kind: 'message', id: createId('msg_'), planned: planItem };
  }
}

/** Writes the item as in `response.output_item.added`. */
function openItem(item: OutputItem): wire.Item {
  switch (item.kind) {
    case 'reasoning':
      return { id: item.id, type: 'reasoning', summary: [] };
    case 'message':
      return { id: item.id, type: 'message', status: 'in_progress', role: 'assistant', content: [] };
    case 'call':
      return writeCall(item, '', 'in_progress');
  }
}

/** Writes the item as in `response.output_item.done` and in the response. */
export function writeItem(item: OutputItem, request: SimulatorRequest): wire.Item {
  const status = item.planned.isCut ? 'incomplete' : 'completed';
  const text = item.planned.pieces.join('');
  switch (item.kind) {
    case 'reasoning':
      return {
        id: item.id,
        type: 'reasoning',
        summary: [{ type: 'summary_text', text }],
        // Omits both keys if they're unset, because strict readers reject null.
        ...(request.reasoning?.isEncrypted ? { encrypted_content: encryptText(text) } : {}),
        ...(item.planned.isCut ? { status } : {}),
      };
    case 'message':
      return { id: item.id, type: 'message', status, role: 'assistant', content: [writePart(item.planned, text, request.topLogprobs)] };
    case 'call':
      return writeCall(item, text, status);
  }
}

/** Writes the part of a message with the text so far. */
function writePart({ kind, pieces }: MessageItem, text: string, topLogprobs: number | null): wire.MessagePart {
  if (kind === 'refusal') return { type: 'refusal', refusal: text };
  const logprobs = topLogprobs === null || text === '' ? [] : describePieces(pieces, topLogprobs);
  return { type: 'output_text', annotations: [], logprobs, text };
}

type Status = 'in_progress' | 'completed' | 'incomplete';

function writeCall(item: OutputItem & { kind: 'call' }, text: string, status: Status): wire.Item {
  const { tool } = item.planned;
  const names = { call_id: item.callId, name: tool.name, ...(tool.namespace === null ? {} : { namespace: tool.namespace }) };
  if (tool.kind === 'function') return { id: item.id, type: 'function_call', status, arguments: text, ...names };
  // The protocol has no status for custom calls, but a truncated call must show one.
  return { id: item.id, type: 'custom_tool_call', input: text, ...names, ...(status === 'incomplete' ? { status } : {}) };
}

/** Opaque to the caller, who sends it back unchanged. The simulator never reads it. */
function encryptText(text: string): string {
  return Buffer.from(`simulated reasoning: ${text}`).toString('base64');
}
