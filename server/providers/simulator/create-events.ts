/** Creates the canonical events of a planned response. The gateway's own writers turn them into either protocol. */
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
    // Ends the reasoning, so cut reasoning goes without.
    if (item.kind === 'reasoning' && !(plan.isCut && item === plan.items.at(-1))) yield { kind: 'encrypted', encrypted: encryptText(item) };
  }
  yield { kind: 'finish', reason: plan.isCut ? 'length' : callCount > 0 ? 'tool_calls' : 'stop' };
}

function* createCallEvents({ tool, pieces }: CallItem, index: number, callId: string): Generator<CanonicalEvent> {
  yield { kind: 'call', index, form: tool.kind, callId, name: tool.name, namespace: tool.namespace };
  for (const text of pieces) yield { kind: 'arguments', index, text };
}

function* createTextEvents({ kind, pieces }: Exclude<PlanItem, CallItem>, topLogprobs: number | null): Generator<CanonicalEvent> {
  for (const text of pieces) {
    if (kind === 'reasoning') yield { kind, part: 0, text };
    else if (kind === 'refusal' || topLogprobs === null) yield { kind, text };
    else yield { kind, text, logprobs: [describePiece(text, topLogprobs)] };
  }
}

/** Opaque to the caller, who sends it back unchanged. The simulator never reads it. */
const encryptText = ({ pieces }: PlanItem): string => Buffer.from(`simulated reasoning: ${pieces.join('')}`).toString('base64');

/** Adds up all choices. */
export const getUsage = ({ inputTokens }: SimulatorRequest, plans: readonly Plan[]): Usage => ({
  input: inputTokens,
  cached: 0,
  output: plans.reduce((total, plan) => total + plan.outputTokens, 0),
  reasoning: plans.reduce((total, plan) => total + plan.reasoningTokens, 0),
});
