/** Writes a plan as a chat completion. */

import { createHash, randomBytes } from 'node:crypto';
import type * as wire from '../dialects/chat/provider-answer.ts';
import { type CallCode, GatewayError } from '../errors.ts';
import { type CallItem, describePiece, describePieces, estimateTokens, type Logprob, type MessageItem, type Plan } from './plan.ts';
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
export interface Completion {
  readonly ask: Ask;
  readonly body: JsonRecord;
  /** One for each choice. */
  readonly plans: readonly Plan[];
  readonly id: string;
  /** Seconds. */
  readonly created: number;
}

export function writeCompletion(completion: Completion): wire.Completion {
  return {
    ...writeHead(completion, 'chat.completion'),
    choices: completion.plans.map((plan, index) => ({
      index,
      message: writeMessage(plan, usesFunctions(completion.body)),
      logprobs: writeLogprobs(plan, completion.ask.topLogprobs),
      finish_reason: finishReason(plan, usesFunctions(completion.body)),
    })),
    usage: writeUsage(completion),
  };
}

type Common = 'id' | 'created' | 'model' | 'service_tier' | 'system_fingerprint';
type Head = Pick<wire.Completion, Common> & Pick<wire.Chunk, Common>;

function writeHead<Name extends 'chat.completion' | 'chat.completion.chunk'>(
  { id, created, body }: Completion,
  object: Name,
): Head & { readonly object: Name } {
  const tier = toText(body.service_tier);
  return {
    id,
    object,
    created,
    model: toText(body.model),
    service_tier: tier === '' || tier === 'auto' ? 'default' : tier,
    // The only field that names what served the response, so it says that this is a simulator.
    system_fingerprint: 'fp_simulator',
  };
}

function finishReason(plan: Plan, isFunction: boolean): wire.ChatFinishReason {
  if (plan.isCut) return 'length';
  if (!plan.items.some((item) => item.kind === 'call')) return 'stop';
  return isFunction ? 'function_call' : 'tool_calls';
}

function writeUsage({ ask, plans }: Completion): wire.ChatUsage {
  const completionTokens = plans.reduce((sum, plan) => sum + plan.outputTokens, 0);
  return {
    prompt_tokens: ask.inputTokens,
    completion_tokens: completionTokens,
    total_tokens: ask.inputTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: plans.reduce((sum, plan) => sum + plan.reasoningTokens, 0),
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}

/** A call as `tool_calls` holds it; the stream opens one with no text. */
function writeCall(tool: Tool, text: string): wire.AnsweredCall {
  const id = createId('call_');
  if (tool.kind === 'custom') return { id, type: 'custom', custom: { name: tool.name, input: text } };
  return { id, type: 'function', function: { name: tool.name, arguments: text } };
}

function callsOf(plan: Plan): readonly CallItem[] {
  return plan.items.filter((item) => item.kind === 'call');
}

function messageOf(plan: Plan): MessageItem | undefined {
  return plan.items.find((item): item is MessageItem => item.kind === 'text' || item.kind === 'refusal');
}

/** Written under the name of what they belong to: the text or the refusal. */
function nameLogprobs(kind: 'text' | 'refusal', logprobs: readonly Logprob[]): wire.Logprobs {
  return kind === 'text' ? { content: logprobs, refusal: null } : { content: null, refusal: logprobs };
}

function writeMessage(plan: Plan, isFunction: boolean): wire.Message {
  const message = messageOf(plan);
  const calls = callsOf(plan);
  const text = message?.pieces.join('') ?? '';
  return {
    role: 'assistant',
    content: calls.length > 0 || message?.kind === 'refusal' ? null : text,
    refusal: message?.kind === 'refusal' ? text : null,
    annotations: [],
    ...writeCalls(calls, isFunction),
  };
}

function writeCalls(calls: readonly CallItem[], isFunction: boolean): Pick<wire.Message, 'tool_calls' | 'function_call'> {
  const [first] = calls;
  if (!first) return {};
  if (isFunction) return { function_call: { name: first.tool.name, arguments: first.pieces.join('') } };
  return { tool_calls: calls.map((call) => writeCall(call.tool, call.pieces.join(''))) };
}

function writeLogprobs(plan: Plan, top: number | null): wire.Logprobs | null {
  const message = messageOf(plan);
  if (top === null || message === undefined) return null;
  return nameLogprobs(message.kind, describePieces(message.pieces, top));
}

export function readChatRequest(body: JsonRecord): Ask {
  requireText(body);
  const messages = toRecords(body.messages);
  const user = messages.findLast((message) => message.role === 'user') ?? {};
  const tools = [...toRecords(body.tools).map(readTool), ...toRecords(body.functions).map(readFunction)];
  const choice = readChoice(body.tool_choice ?? body.function_call, tools.length > 0);
  return {
    prompt: joinText(user.content),
    attachments: toRecords(user.content).flatMap(readAttachment),
    results: readResults(messages),
    inputTokens: estimateTokens([body.messages, body.tools, body.functions, body.response_format]),
    tools,
    choice: requireCallable(choice, tools),
    isParallel: body.parallel_tool_calls !== false && !usesFunctions(body),
    format: readFormat(toRecord(body.response_format)),
    maxTokens: toNumber(body.max_completion_tokens) ?? toNumber(body.max_tokens),
    stop: typeof body.stop === 'string' ? [body.stop] : toTexts(body.stop),
    choices: toNumber(body.n) ?? 1,
    reasoning: readReasoning(body),
    topLogprobs: body.logprobs === true ? (toNumber(body.top_logprobs) ?? 0) : null,
  };
}

/** The form before tools, in which a call is written as `function_call`. */
function usesFunctions(body: JsonRecord): boolean {
  return Array.isArray(body.functions) && !Array.isArray(body.tools);
}

function requireText(body: JsonRecord): void {
  if (!toTexts(body.modalities).includes('audio')) return;
  throw new GatewayError<CallCode>('unsupported_value', {
    message: "The built-in simulator can't generate audio, only text.",
    param: 'modalities',
  });
}

function readTool(tool: JsonRecord): Tool {
  if (tool.type === 'custom') return { kind: 'custom', name: toText(toRecord(tool.custom).name), namespace: null };
  return readFunction(toRecord(tool.function));
}

function readFunction(definition: JsonRecord): Tool {
  return { kind: 'function', name: toText(definition.name), namespace: null, schema: definition.parameters };
}

function readChoice(choice: unknown, hasTools: boolean): ToolChoice {
  if (choice === 'none' || choice === 'auto' || choice === 'required') return { mode: choice, names: null };
  if (!isRecord(choice)) return { mode: hasTools ? 'auto' : 'none', names: null };
  if (choice.type === 'allowed_tools') {
    const allowed = toRecord(choice.allowed_tools);
    return { mode: allowed.mode === 'required' ? 'required' : 'auto', names: toRecords(allowed.tools).map(readName) };
  }
  return { mode: 'required', names: [readName(choice)] };
}

/** Of a tool choice, in the nested form of tools or the flat one of functions. */
function readName(choice: JsonRecord): string {
  return toText(toRecord(choice.function).name) || toText(toRecord(choice.custom).name) || toText(choice.name);
}

function readFormat(format: JsonRecord): OutputFormat {
  if (format.type === 'json_schema')
    return { kind: 'json_schema', schema: toRecord(format.json_schema).schema, param: 'response_format.json_schema.schema' };
  return { kind: format.type === 'json_object' ? 'json_object' : 'text' };
}

function readReasoning(body: JsonRecord): Ask['reasoning'] {
  const effort = toText(body.reasoning_effort) || toText(toRecord(body.reasoning).effort);
  return effort === '' || effort === 'none' ? null : { effort, isEncrypted: false };
}

function readResults(messages: readonly JsonRecord[]): readonly ToolResult[] {
  const isResult = ({ role }: JsonRecord) => role === 'tool' || role === 'function';
  const start = messages.findLastIndex((message) => !isResult(message)) + 1;
  const calls = messages.flatMap((message) => toRecords(message.tool_calls));
  const names = new Map(calls.map((call) => [call.id, readName(call)]));
  return messages.slice(start).map((message) => ({
    name: toText(message.name) || (names.get(message.tool_call_id) ?? toText(message.tool_call_id)),
    text: joinText(message.content),
  }));
}

function readAttachment(part: JsonRecord): Attachment[] {
  const file = toRecord(part.file);
  switch (part.type) {
    case 'image_url':
      return [{ noun: 'image', type: describeUrl(toText(toRecord(part.image_url).url)) }];
    case 'file':
      return [{ noun: 'file', type: describeUrl(toText(file.file_data)) }];
    case 'input_audio':
      return [{ noun: 'sound', type: `audio/${toText(toRecord(part.input_audio).format)}` }];
    default:
      return [];
  }
}

/** What a chunk says about one choice. */
interface Step {
  readonly delta: wire.Delta;
  readonly logprobs: wire.Logprobs | null;
  readonly finish_reason: wire.ChatFinishReason | null;
}

export function* writeChunks(completion: Completion): Generator<wire.Chunk> {
  const { body, plans } = completion;
  const wantsUsage = toRecord(body.stream_options).include_usage === true;
  const head = { ...writeHead(completion, 'chat.completion.chunk') };
  const tail = wantsUsage ? { usage: null } : {};
  for (const [index, step] of interleave(plans.map((plan) => writeSteps(plan, completion)))) {
    yield { ...head, choices: [{ index, ...step }], ...tail };
  }
  if (wantsUsage) yield { ...head, choices: [], usage: writeUsage(completion) };
}

/** One step of each choice in turn, like a server that generates them in parallel. */
function* interleave(choices: readonly Iterator<Step>[]): Generator<[number, Step]> {
  let open = [...choices.entries()];
  while (open.length > 0) {
    const still: typeof open = [];
    for (const [index, steps] of open) {
      const next = steps.next();
      if (next.done) continue;
      yield [index, next.value];
      still.push([index, steps]);
    }
    open = still;
  }
}

function* writeSteps(plan: Plan, { ask, body }: Completion): Generator<Step> {
  const message = messageOf(plan);
  const calls = callsOf(plan);
  const isText = calls.length === 0 && message?.kind !== 'refusal';
  yield createStep(isText ? { role: 'assistant', content: '', refusal: null } : { role: 'assistant', content: null });
  for (const piece of message?.pieces ?? []) {
    const kind = message?.kind ?? 'text';
    const logprobs = ask.topLogprobs === null ? null : nameLogprobs(kind, [describePiece(piece, ask.topLogprobs)]);
    yield createStep(kind === 'text' ? { content: piece } : { refusal: piece }, logprobs);
  }
  for (const [index, call] of calls.entries()) yield* usesFunctions(body) ? writeFunction(call) : writeCallSteps(call, index);
  yield { delta: {}, logprobs: null, finish_reason: finishReason(plan, usesFunctions(body)) };
}

/** Id, type and name come once, at the beginning: clients concatenate repeated values. */
function* writeCallSteps({ tool, pieces }: CallItem, index: number): Generator<Step> {
  yield createStep({ tool_calls: [{ index, ...writeCall(tool, '') }] });
  for (const piece of pieces) {
    yield createStep({
      tool_calls: [tool.kind === 'custom' ? { index, custom: { input: piece } } : { index, function: { arguments: piece } }],
    });
  }
}

function* writeFunction({ tool, pieces }: CallItem): Generator<Step> {
  yield createStep({ function_call: { name: tool.name, arguments: '' } });
  for (const piece of pieces) yield createStep({ function_call: { arguments: piece } });
}

function createStep(delta: wire.Delta, logprobs: wire.Logprobs | null = null): Step {
  return { delta, logprobs, finish_reason: null };
}

/** Two hexadecimal digits for each of so many bytes. */
export type Hex = (bytes: number) => string;

const fresh: Hex = (bytes) => randomBytes(bytes).toString('hex');

let current = fresh;

export function createId(prefix: 'chatcmpl-' | 'resp_' | 'msg_' | 'rs_' | 'fc_' | 'ctc_' | 'call_'): string {
  return prefix + current(16);
}

/** Runs work that takes its IDs from this source. The work must be synchronous: anything that runs in the meantime would use the source too. */
export function withIds<T>(hex: Hex | null, work: () => T): T {
  const before = current;
  current = hex ?? fresh;
  try {
    return work();
  } finally {
    current = before;
  }
}

/** The same for what is written step by step. */
export function* eachWithIds<T>(hex: Hex | null, steps: Iterable<T>): Generator<T> {
  const iterator = steps[Symbol.iterator]();
  for (let next = withIds(hex, () => iterator.next()); !next.done; next = withIds(hex, () => iterator.next())) yield next.value;
}

/** The same IDs in the same order, each time. */
function seededHex(seed: string): Hex {
  let count = 0;
  return (bytes) => {
    count += 1;
    return createHash('sha512')
      .update(`${seed}\n${count}`)
      .digest('hex')
      .slice(0, 2 * bytes);
  };
}

/** Requests that are remembered, so that a repeated request gets different IDs. */
const MOST = 100_000;

/** The IDs of a request depend on the seed, on its content, and on how often it was sent before. */
export function openSeededIds(seed: string): (print: string) => Hex {
  const times = new Map<string, number>();
  return (print) => {
    const time = times.get(print) ?? 0;
    times.set(print, time + 1);
    const [oldest] = times.keys();
    if (oldest !== undefined && times.size > MOST) times.delete(oldest);
    return seededHex(JSON.stringify([seed, print, time]));
  };
}
