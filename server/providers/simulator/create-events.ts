/** Creates the canonical events of a planned response, from which the gateway's own writers write either protocol. */
import type { CanonicalEvent } from '../../protocols/canonical/canonical-events.ts';
import type { ResponseHead } from '../../protocols/dialect.ts';
import type { Usage } from '../../protocols/usage.ts';
import { describePiece } from './describe-piece.ts';
import type { CallItem, Plan, PlanItem } from './plan.ts';
import type { SimulatorRequest } from './simulator-request.ts';

/** Creates everything except the usage, which all choices share. Each piece of an item is an event, so a stream shows it token by token. */
export function* createEvents(plan: Plan, { topLogprobs }: SimulatorRequest, newId: ResponseHead['newId']): Generator<CanonicalEvent> {
  yield { kind: 'start' };
  let callCount = 0;
  for (const item of plan.items) {
    if (item.kind === 'call') yield* createCallEvents(item, callCount++, newId('call'));
    else yield* createTextEvents(item, topLogprobs);
  }
  yield { kind: 'finish', reason: plan.isCut ? 'length' : callCount > 0 ? 'tool_calls' : 'stop' };
}

function* createCallEvents({ tool, pieces }: CallItem, index: number, callId: string): Generator<CanonicalEvent> {
  yield { kind: 'call', index, form: tool.kind, callId, name: tool.name, namespace: tool.namespace };
  for (const text of pieces) yield { kind: 'arguments', index, text };
}

function* createTextEvents(
  { kind, pieces, isCut }: Exclude<PlanItem, CallItem>,
  topLogprobs: SimulatorRequest['topLogprobs'],
): Generator<CanonicalEvent> {
  for (const text of pieces) {
    if (kind === 'reasoning') yield { kind, part: 0, text };
    else if (kind === 'refusal' || topLogprobs === null) yield { kind, text };
    else yield { kind, text, logprobs: [describePiece(text, topLogprobs)] };
  }
  // Ends the reasoning, so cut reasoning goes without. The caller sends it back unchanged, and the simulator never reads it.
  if (kind === 'reasoning' && !isCut)
    yield { kind: 'encrypted', encrypted: Buffer.from(`simulated reasoning: ${pieces.join('')}`).toString('base64') };
}

/** Adds up all choices. */
export const getUsage = ({ inputTokens }: SimulatorRequest, plans: readonly Plan[]): Usage => ({
  input: inputTokens,
  cached: 0,
  output: plans.reduce((total, plan) => total + plan.outputTokens, 0),
  reasoning: plans.reduce((total, plan) => total + plan.reasoningTokens, 0),
});
