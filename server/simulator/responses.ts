/** The response object: every setting of the request repeated, and what came of it. */
import type { ResponseRequest } from '../../contract/responses.ts';
import type * as wire from '../dialects/responses/output.ts';
import type { Event, Unnumbered } from '../dialects/responses/output.ts';
import { type CallCode, GatewayError } from '../errors.ts';
import { createId } from './chat.ts';
import {
  type CallItem,
  describePiece,
  describePieces,
  estimateTokens,
  type MessageItem,
  type Plan,
  type PlanItem,
  type ReasoningItem,
} from './plan.ts';
import { describeUrl, isRecord, type JsonRecord, joinText, toNumber, toRecord, toRecords, toText, toTexts } from './schema.ts';
import {
  type Ask,
  type Attachment,
  type OutputFormat,
  requireCallable,
  type Tool,
  type ToolChoice,
  type ToolResult,
} from './tool-calls.ts';

/** What all of one response shares, whole or streamed. */
export interface Answer {
  readonly ask: Ask;
  readonly body: JsonRecord;
  readonly plan: Plan;
  readonly items: readonly OutputItem[];
  readonly id: string;
  /** Seconds. */
  readonly createdAt: number;
}

/** The object of the opening events: nothing has come yet. */
function writeOpening(answer: Answer): wire.ResponseObject {
  return writeResponse(answer, { completed_at: null, status: 'in_progress', incomplete_details: null, output: [], usage: null });
}

/** The complete response, which is also what the terminal event carries. `now` in seconds. */
export function writeFinal(answer: Answer, now: number): wire.ResponseObject {
  const { plan, ask } = answer;
  return writeResponse(answer, {
    completed_at: plan.isCut ? null : now,
    status: plan.isCut ? 'incomplete' : 'completed',
    incomplete_details: plan.isCut ? { reason: 'max_output_tokens' } : null,
    output: answer.items.map((item) => writeItem(item, ask)),
    usage: writeUsage(ask, plan),
  });
}

type Progress = Required<Pick<wire.ResponseObject, 'completed_at' | 'status' | 'incomplete_details' | 'output' | 'usage'>>;
/** The gateway has validated the body; parsed JSON has no type. */
type Request = Partial<ResponseRequest>;

function writeResponse({ body, id, createdAt }: Answer, { output, usage, ...progress }: Progress): wire.ResponseObject {
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
    ...writeBookkeeping(request),
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

/** An echoed function has all of its keys. */
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

type Bookkeeping = 'store' | 'background' | 'service_tier' | 'metadata' | 'safety_identifier' | 'prompt_cache_key' | 'user';

function writeBookkeeping(body: Request): Settings<Bookkeeping> {
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

function writeUsage(ask: Ask, plan: Plan): NonNullable<wire.ResponseObject['usage']> {
  return {
    input_tokens: ask.inputTokens,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens: plan.outputTokens,
    output_tokens_details: { reasoning_tokens: plan.reasoningTokens },
    total_tokens: ask.inputTokens + plan.outputTokens,
  };
}

export function readResponsesRequest(body: JsonRecord): Ask {
  const items = typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : toRecords(body.input);
  if (items.some(({ type }) => type === 'compaction_trigger')) throw noCompaction();
  const user = items.findLast((item) => item.role === 'user' && isMessage(item)) ?? {};
  const tools = readTools(body, items);
  const text = toRecord(body.text);
  return {
    prompt: joinText(user.content),
    attachments: toRecords(user.content).flatMap(readAttachment),
    results: readResults(items),
    inputTokens: estimateTokens([body.instructions, body.input, body.tools, body.text]),
    tools,
    choice: requireCallable(readChoice(body.tool_choice), tools),
    isParallel: body.parallel_tool_calls !== false,
    format: readFormat(toRecord(text.format)),
    maxTokens: toNumber(body.max_output_tokens),
    stop: [],
    choices: 1,
    reasoning: readReasoning(body),
    topLogprobs: toTexts(body.include).includes('message.output_text.logprobs') ? (toNumber(body.top_logprobs) ?? 0) : null,
  };
}

/** A summary that is none would cost a coding agent its whole session. */
const noCompaction = () =>
  new GatewayError<CallCode>('unsupported_value', {
    param: 'input',
    message: "The built-in simulator doesn't support 'compaction_trigger'.",
  });

function isMessage(item: JsonRecord): boolean {
  return (item.type ?? 'message') === 'message';
}

/** Also those that come as an input item, as coding agents send them. */
function readTools(body: JsonRecord, items: readonly JsonRecord[]): readonly Tool[] {
  const late = items.filter((item) => item.type === 'additional_tools').flatMap((item) => toRecords(item.tools));
  return [...toRecords(body.tools), ...late].flatMap((tool) => readTool(tool, null));
}

/** Hosted tools are omitted: the simulator never uses one, as a model may choose not to. */
function readTool(tool: JsonRecord, namespace: string | null): Tool[] {
  const name = toText(tool.name);
  if (tool.type === 'function') return [{ kind: 'function', name, namespace, schema: tool.parameters }];
  if (tool.type === 'custom') return [{ kind: 'custom', name, namespace }];
  if (tool.type === 'namespace' && namespace === null) return toRecords(tool.tools).flatMap((inner) => readTool(inner, name));
  return [];
}

function readChoice(choice: unknown): ToolChoice {
  if (choice === 'none' || choice === 'required') return { mode: choice, names: null };
  if (!isRecord(choice)) return { mode: 'auto', names: null };
  if (choice.type === 'function' || choice.type === 'custom') return { mode: 'required', names: [toText(choice.name)] };
  if (choice.type === 'allowed_tools') {
    const names = toRecords(choice.tools).map((tool) => toText(tool.name));
    return { mode: choice.mode === 'required' ? 'required' : 'auto', names };
  }
  throw new GatewayError<CallCode>('unsupported_value', {
    message: "The built-in simulator doesn't run hosted tools. Choose a function or a custom tool.",
    param: 'tool_choice',
  });
}

function readFormat(format: JsonRecord): OutputFormat {
  if (format.type === 'json_schema') return { kind: 'json_schema', schema: format.schema, param: 'text.format.schema' };
  return { kind: format.type === 'json_object' ? 'json_object' : 'text' };
}

function readReasoning(body: JsonRecord): Ask['reasoning'] {
  const { effort, summary } = toRecord(body.reasoning);
  if (effort === 'none' || (!effort && !summary)) return null;
  return { effort: toText(effort) || 'medium', isEncrypted: toTexts(body.include).includes('reasoning.encrypted_content') };
}

function readResults(items: readonly JsonRecord[]): readonly ToolResult[] {
  const isResult = ({ type }: JsonRecord) => type === 'function_call_output' || type === 'custom_tool_call_output';
  const start = items.findLastIndex((item) => !isResult(item)) + 1;
  const names = new Map(items.filter((item) => 'name' in item).map((item) => [item.call_id, toText(item.name)]));
  return items.slice(start).map((item) => ({
    name: names.get(item.call_id) ?? toText(item.call_id),
    text: joinText(item.output),
  }));
}

function readAttachment(part: JsonRecord): Attachment[] {
  switch (part.type) {
    case 'input_image':
      return [{ noun: 'image', type: describeUrl(toText(part.image_url)) }];
    case 'input_file':
      return [{ noun: 'file', type: describeUrl(toText(part.file_data) || toText(part.file_url)) }];
    case 'input_audio':
      return [{ noun: 'sound', type: `audio/${toText(toRecord(part.input_audio).format)}` }];
    default:
      return [];
  }
}

/** `now` in seconds, asked at the end: the stream takes its time. */
export function* writeEvents(answer: Answer, now: () => number): Generator<Event> {
  let sequence = 0;
  for (const { type, ...fields } of writeUnnumbered(answer, now)) {
    // What was taken apart is put together again, with its number in second place.
    yield { type, sequence_number: sequence, ...fields } as Event;
    sequence += 1;
  }
}

function* writeUnnumbered(answer: Answer, now: () => number): Generator<Unnumbered> {
  yield { type: 'response.created', response: writeOpening(answer) };
  yield { type: 'response.in_progress', response: writeOpening(answer) };
  for (const [output_index, item] of answer.items.entries()) {
    yield { type: 'response.output_item.added', output_index, item: openItem(item) };
    yield* writeContent(item, { item_id: item.id, output_index }, answer.ask);
    yield { type: 'response.output_item.done', output_index, item: writeItem(item, answer.ask) };
  }
  yield { type: answer.plan.isCut ? 'response.incomplete' : 'response.completed', response: writeFinal(answer, now()) };
}

/** What every event about an item repeats. */
interface ItemPlace {
  readonly item_id: string;
  readonly output_index: number;
}

function writeContent(item: OutputItem, place: ItemPlace, ask: Ask): Generator<Unnumbered> {
  switch (item.kind) {
    case 'reasoning':
      return writeSummary(item, place);
    case 'message':
      return item.planned.kind === 'refusal' ? writeRefusal(item, place) : writeText(item, place, ask);
    case 'call':
      return writeArguments(item, place);
  }
}

function* writeSummary({ planned }: OutputItem & { kind: 'reasoning' }, item: ItemPlace): Generator<Unnumbered> {
  const text = planned.pieces.join('');
  const place = { ...item, summary_index: 0 };
  yield { type: 'response.reasoning_summary_part.added', ...place, part: { type: 'summary_text', text: '' } };
  for (const delta of planned.pieces) yield { type: 'response.reasoning_summary_text.delta', ...place, delta };
  yield { type: 'response.reasoning_summary_text.done', ...place, text };
  yield { type: 'response.reasoning_summary_part.done', ...place, part: { type: 'summary_text', text } };
}

type Message = OutputItem & { kind: 'message' };

function* writeText({ planned }: Message, item: ItemPlace, { topLogprobs }: Ask): Generator<Unnumbered> {
  const text = planned.pieces.join('');
  const place = { ...item, content_index: 0 };
  yield { type: 'response.content_part.added', ...place, part: writePart(planned, '', topLogprobs) };
  for (const delta of planned.pieces) {
    const logprobs = topLogprobs === null ? [] : [describePiece(delta, topLogprobs)];
    yield { type: 'response.output_text.delta', ...place, delta, logprobs };
  }
  const logprobs = topLogprobs === null ? [] : describePieces(planned.pieces, topLogprobs);
  yield { type: 'response.output_text.done', ...place, text, logprobs };
  yield { type: 'response.content_part.done', ...place, part: writePart(planned, text, topLogprobs) };
}

function* writeRefusal({ planned }: Message, item: ItemPlace): Generator<Unnumbered> {
  const refusal = planned.pieces.join('');
  const place = { ...item, content_index: 0 };
  yield { type: 'response.content_part.added', ...place, part: writePart(planned, '', null) };
  for (const delta of planned.pieces) yield { type: 'response.refusal.delta', ...place, delta };
  yield { type: 'response.refusal.done', ...place, refusal };
  yield { type: 'response.content_part.done', ...place, part: writePart(planned, refusal, null) };
}

function* writeArguments({ planned }: OutputItem & { kind: 'call' }, place: ItemPlace): Generator<Unnumbered> {
  const { tool, pieces } = planned;
  const text = pieces.join('');
  if (tool.kind === 'custom') {
    for (const delta of pieces) yield { type: 'response.custom_tool_call_input.delta', ...place, delta };
    yield { type: 'response.custom_tool_call_input.done', ...place, input: text };
  } else {
    for (const delta of pieces) yield { type: 'response.function_call_arguments.delta', ...place, delta };
    yield { type: 'response.function_call_arguments.done', ...place, name: tool.name, arguments: text };
  }
}

/** A planned item with its IDs, which every event about it repeats. */
type OutputItem = { readonly id: string } & (
  | { readonly kind: 'reasoning'; readonly planned: ReasoningItem }
  | { readonly kind: 'message'; readonly planned: MessageItem }
  | { readonly kind: 'call'; readonly planned: CallItem; readonly callId: string }
);

export function nameItem(planned: PlanItem): OutputItem {
  switch (planned.kind) {
    case 'reasoning':
      return { kind: 'reasoning', id: createId('rs_'), planned };
    case 'call':
      return { kind: 'call', id: createId(planned.tool.kind === 'custom' ? 'ctc_' : 'fc_'), callId: createId('call_'), planned };
    default:
      return { kind: 'message', id: createId('msg_'), planned };
  }
}

/** As `response.output_item.added` shows it. */
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

/** As `response.output_item.done` and the response show it. */
export function writeItem(item: OutputItem, ask: Ask): wire.Item {
  const status = item.planned.isCut ? 'incomplete' : 'completed';
  const text = item.planned.pieces.join('');
  switch (item.kind) {
    case 'reasoning':
      return {
        id: item.id,
        type: 'reasoning',
        summary: [{ type: 'summary_text', text }],
        // Both keys only where they say something: a null is rejected by strict readers.
        ...(ask.reasoning?.isEncrypted ? { encrypted_content: encryptText(text) } : {}),
        ...(item.planned.isCut ? { status } : {}),
      };
    case 'message':
      return { id: item.id, type: 'message', status, role: 'assistant', content: [writePart(item.planned, text, ask.topLogprobs)] };
    case 'call':
      return writeCall(item, text, status);
  }
}

/** The part of a message, whole or with the text that has come so far. */
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
  // The wire gives a custom call no status, except that a broken one must show.
  return { id: item.id, type: 'custom_tool_call', input: text, ...names, ...(status === 'incomplete' ? { status } : {}) };
}

/** Opaque to the caller; it comes back as it is, and nothing here reads it. */
function encryptText(text: string): string {
  return Buffer.from(`simulated reasoning: ${text}`).toString('base64');
}
