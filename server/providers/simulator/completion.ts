/** Writes planned responses as a chat completion with one choice each, complete or in chunks. */

import { isLegacyFunctionRequest, isUsageRequested } from '../../protocols/chat/read-request.ts';
import type { Chunk, Completion } from '../../protocols/chat/wire.ts';
import { CompletionBuilder, writeChatResponse, writeUsage } from '../../protocols/chat/write-response.ts';
import type { ResponseHead } from '../../protocols/dialect.ts';
import type { Usage } from '../../protocols/usage.ts';
import { createEvents } from './create-events.ts';
import type { Plan } from './plan.ts';
import type { SimulatorRequest } from './simulator-request.ts';

/** The data shared by all parts of one completion. */
export interface PlannedCompletion {
  readonly request: SimulatorRequest;
  /** One plan per choice. */
  readonly plans: readonly Plan[];
  readonly head: ResponseHead;
  readonly usage: Usage;
}

export function writeCompletion({ request, plans, head, usage }: PlannedCompletion): Completion {
  const completions = plans.map((plan) => writeChatResponse([...createEvents(plan, request, head.newId)], head));
  return {
    ...writeHead(head),
    object: 'chat.completion',
    choices: completions.flatMap(({ choices }, index) => choices.map((choice) => ({ ...choice, index }))),
    usage: writeUsage(usage),
  };
}

function writeHead({ id, createdAt, model, request: { service_tier: tier } }: ResponseHead) {
  return {
    id,
    created: createdAt,
    model,
    service_tier: typeof tier !== 'string' || tier === 'auto' ? 'default' : tier,
    // The only field that identifies what served the response, so it names the simulator.
    system_fingerprint: 'fp_simulator',
  };
}

export function* writeChunks({ request, plans, head, usage }: PlannedCompletion): Generator<Chunk> {
  const hasUsage = isUsageRequested(head.request);
  const chunk = { ...writeHead(head), object: 'chat.completion.chunk' as const, ...(hasUsage && { usage: null }) };
  for (const choice of interleave(plans.map((plan, index) => writeSteps(plan, index, { request, head }))))
    yield { ...chunk, choices: [choice] };
  if (hasUsage) yield { ...chunk, choices: [], usage: writeUsage(usage) };
}

type ChunkChoice = Chunk['choices'][number];

function* writeSteps(plan: Plan, index: number, { request, head }: Pick<PlannedCompletion, 'request' | 'head'>): Generator<ChunkChoice> {
  const builder = new CompletionBuilder(isLegacyFunctionRequest(head.request));
  for (const event of createEvents(plan, request, head.newId))
    for (const step of builder.handleEvent(event)) yield { index, ...step, finish_reason: null };
  yield { index, delta: {}, logprobs: null, finish_reason: builder.finishReason };
}

/** Yields one step of each choice in turn, like a server that generates the choices in parallel. */
function* interleave<Step>(choices: readonly Iterator<Step, void>[]): Generator<Step> {
  const openChoices = new Set(choices);
  while (openChoices.size > 0) {
    for (const steps of openChoices) {
      const next = steps.next();
      if (next.done) openChoices.delete(steps);
      else yield next.value;
    }
  }
}
