/** Writes a plan as the chunks of a streamed chat completion: role, deltas, finish, usage. */
import type * as wire from '../../dialects/chat/wire.ts';
import { describePiece } from '../plan/logprobs.ts';
import type { CallItem, Plan } from '../plan/plan.ts';
import { toRecord } from '../values.ts';
import { usesFunctions } from './request.ts';
import { type Completion, callsOf, finishReason, messageOf, nameLogprobs, writeCall, writeHead, writeUsage } from './response.ts';

/** What a chunk says about one choice. */
interface Step {
  readonly delta: wire.Delta;
  readonly logprobs: wire.Logprobs | null;
  readonly finish_reason: wire.FinishReason | null;
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
