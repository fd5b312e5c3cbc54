/** Writes a plan as a chat completion, complete or in chunks. */

import type * as wire from '../../protocols/chat/wire.ts';
import { isLegacyRequest } from './chat-request.ts';
import { createId } from './ids.ts';
import { type JsonRecord, toRecord, toText } from './json-record.ts';
import { describePiece, describePieces, type Logprob } from './logprobs.ts';
import type { CallItem, MessageItem, Plan } from './plan.ts';
import type { SimulatorRequest, SimulatorTool } from './simulator-request.ts';

/** The data shared by all parts of one response, streamed or not. */
export interface Completion {
  readonly ask: SimulatorRequest;
  readonly body: JsonRecord;
  /** One plan per choice. */
  readonly plans: readonly Plan[];
  readonly id: string;
  /** Seconds since 1970. */
  readonly created: number;
}

export function writeCompletion(completion: Completion): wire.Completion {
  return {
    ...writeHead(completion, 'chat.completion'),
    choices: completion.plans.map((plan, index) => ({
      index,
      message: writeMessage(plan, isLegacyRequest(completion.body)),
      logprobs: writeLogprobs(plan, completion.ask.topLogprobs),
      finish_reason: getFinishReason(plan, isLegacyRequest(completion.body)),
    })),
    usage: writeUsage(completion),
  };
}

type SharedHeadField = 'id' | 'created' | 'model' | 'service_tier' | 'system_fingerprint';
type ResponseHead = Pick<wire.Completion, SharedHeadField> & Pick<wire.Chunk, SharedHeadField>;

function writeHead<Name extends 'chat.completion' | 'chat.completion.chunk'>(
  { id, created, body }: Completion,
  object: Name,
): ResponseHead & { readonly object: Name } {
  const tier = toText(body.service_tier);
  return {
    id,
    object,
    created,
    model: toText(body.model),
    service_tier: tier === '' || tier === 'auto' ? 'default' : tier,
    // The only field that identifies what served the response, so it names the simulator.
    system_fingerprint: 'fp_simulator',
  };
}

function getFinishReason(plan: Plan, isLegacy: boolean): wire.ChatFinishReason {
  if (plan.isCut) return 'length';
  if (!plan.items.some((item) => item.kind === 'call')) return 'stop';
  return isLegacy ? 'function_call' : 'tool_calls';
}

function writeUsage({ ask, plans }: Completion): wire.ChatUsage {
  const completionTokens = plans.reduce((total, plan) => total + plan.outputTokens, 0);
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

/** Writes a call as in `tool_calls`. A stream opens a call with empty text. */
function writeCall(tool: SimulatorTool, text: string): wire.ToolCall {
  const id = createId('call_');
  if (tool.kind === 'custom') return { id, type: 'custom', custom: { name: tool.name, input: text } };
  return { id, type: 'function', function: { name: tool.name, arguments: text } };
}

function getCalls(plan: Plan): readonly CallItem[] {
  return plan.items.filter((item) => item.kind === 'call');
}

function findMessage(plan: Plan): MessageItem | undefined {
  return plan.items.find((item): item is MessageItem => item.kind === 'text' || item.kind === 'refusal');
}

/** Writes log probabilities under `content` for a text and under `refusal` for a refusal. */
function toLogprobs(kind: 'text' | 'refusal', logprobs: readonly Logprob[]): wire.Logprobs {
  return kind === 'text' ? { content: logprobs, refusal: null } : { content: null, refusal: logprobs };
}

function writeMessage(plan: Plan, isLegacy: boolean): wire.Message {
  const message = findMessage(plan);
  const calls = getCalls(plan);
  const text = message?.pieces.join('') ?? '';
  return {
    role: 'assistant',
    content: calls.length > 0 || message?.kind === 'refusal' ? null : text,
    refusal: message?.kind === 'refusal' ? text : null,
    annotations: [],
    ...writeCalls(calls, isLegacy),
  };
}

function writeCalls(calls: readonly CallItem[], isLegacy: boolean): Pick<wire.Message, 'tool_calls' | 'function_call'> {
  const [first] = calls;
  if (!first) return {};
  if (isLegacy) return { function_call: { name: first.tool.name, arguments: first.pieces.join('') } };
  return { tool_calls: calls.map((call) => writeCall(call.tool, call.pieces.join(''))) };
}

function writeLogprobs(plan: Plan, top: number | null): wire.Logprobs | null {
  const message = findMessage(plan);
  if (top === null || message === undefined) return null;
  return toLogprobs(message.kind, describePieces(message.pieces, top));
}

/** A chunk's content for one choice. */
interface ChunkStep {
  readonly delta: wire.Delta;
  readonly logprobs: wire.Logprobs | null;
  readonly finish_reason: wire.ChatFinishReason | null;
}

export function* writeChunks(completion: Completion): Generator<wire.Chunk> {
  const { body, plans } = completion;
  const wantsUsage = toRecord(body.stream_options).include_usage === true;
  const head = { ...writeHead(completion, 'chat.completion.chunk') };
  const usageField = wantsUsage ? { usage: null } : {};
  for (const [index, step] of interleave(plans.map((plan) => writeSteps(plan, completion)))) {
    yield { ...head, choices: [{ index, ...step }], ...usageField };
  }
  if (wantsUsage) yield { ...head, choices: [], usage: writeUsage(completion) };
}

/** Yields one step of each choice in turn, like a server that generates the choices in parallel. */
function* interleave(choices: readonly Iterator<ChunkStep>[]): Generator<[number, ChunkStep]> {
  let openChoices = [...choices.entries()];
  while (openChoices.length > 0) {
    const remainingChoices: typeof openChoices = [];
    for (const [index, steps] of openChoices) {
      const next = steps.next();
      if (next.done) continue;
      yield [index, next.value];
      remainingChoices.push([index, steps]);
    }
    openChoices = remainingChoices;
  }
}

function* writeSteps(plan: Plan, { ask, body }: Completion): Generator<ChunkStep> {
  const message = findMessage(plan);
  const calls = getCalls(plan);
  const isText = calls.length === 0 && message?.kind !== 'refusal';
  yield createStep(isText ? { role: 'assistant', content: '', refusal: null } : { role: 'assistant', content: null });
  for (const piece of message?.pieces ?? []) {
    const kind = message?.kind ?? 'text';
    const logprobs = ask.topLogprobs === null ? null : toLogprobs(kind, [describePiece(piece, ask.topLogprobs)]);
    yield createStep(kind === 'text' ? { content: piece } : { refusal: piece }, logprobs);
  }
  for (const [index, call] of calls.entries()) yield* isLegacyRequest(body) ? writeFunction(call) : writeCallSteps(call, index);
  yield { delta: {}, logprobs: null, finish_reason: getFinishReason(plan, isLegacyRequest(body)) };
}

/** ID, type and name are sent once, at the start: clients concatenate repeated values. */
function* writeCallSteps({ tool, pieces }: CallItem, index: number): Generator<ChunkStep> {
  yield createStep({ tool_calls: [{ index, ...writeCall(tool, '') }] });
  for (const piece of pieces) {
    yield createStep({
      tool_calls: [tool.kind === 'custom' ? { index, custom: { input: piece } } : { index, function: { arguments: piece } }],
    });
  }
}

function* writeFunction({ tool, pieces }: CallItem): Generator<ChunkStep> {
  yield createStep({ function_call: { name: tool.name, arguments: '' } });
  for (const piece of pieces) yield createStep({ function_call: { arguments: piece } });
}

function createStep(delta: wire.Delta, logprobs: wire.Logprobs | null = null): ChunkStep {
  return { delta, logprobs, finish_reason: null };
}
