/** Writes a plan as a chat completion. */
import type * as wire from '../../dialects/chat/wire.ts';
import { createId } from '../ids.ts';
import type { Ask, Tool } from '../plan/ask.ts';
import { describePieces, type Logprob } from '../plan/logprobs.ts';
import type { CallItem, MessageItem, Plan } from '../plan/plan.ts';
import { type JsonRecord, toText } from '../values.ts';
import { usesFunctions } from './request.ts';

/** What all of one answer shares, whole or streamed. */
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

export function writeHead<Name extends 'chat.completion' | 'chat.completion.chunk'>(
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
    // The only field that names what served the answer, so it says that this is a simulator.
    system_fingerprint: 'fp_simulator',
  };
}

export function finishReason(plan: Plan, isFunction: boolean): wire.FinishReason {
  if (plan.isCut) return 'length';
  if (!plan.items.some((item) => item.kind === 'call')) return 'stop';
  return isFunction ? 'function_call' : 'tool_calls';
}

export function writeUsage({ ask, plans }: Completion): wire.ChatUsage {
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
export function writeCall(tool: Tool, text: string): wire.AnsweredCall {
  const id = createId('call_');
  if (tool.kind === 'custom') return { id, type: 'custom', custom: { name: tool.name, input: text } };
  return { id, type: 'function', function: { name: tool.name, arguments: text } };
}

export function callsOf(plan: Plan): readonly CallItem[] {
  return plan.items.filter((item) => item.kind === 'call');
}

export function messageOf(plan: Plan): MessageItem | undefined {
  return plan.items.find((item): item is MessageItem => item.kind === 'text' || item.kind === 'refusal');
}

/** Written under the name of what they belong to: the text or the refusal. */
export function nameLogprobs(kind: 'text' | 'refusal', logprobs: readonly Logprob[]): wire.Logprobs {
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
