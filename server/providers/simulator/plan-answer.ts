/** Plans a text response from a scripted answer. */
import type { ScriptedAnswer } from '../../config/scripted-answer.ts';
import { type CallCode, GatewayError } from '../../primitives/errors.ts';
import type { Usage } from '../../protocols/usage.ts';
import { getMaxTokens, limitTokens, type Plan, type PlanItem } from './plan.ts';
import type { SimulatorRequest, SimulatorTool } from './simulator-request.ts';
import { splitPieces } from './tokens.ts';

/** Returns one plan per requested response. The limits of the request apply, as they do to a model. */
export function planAnswer(request: SimulatorRequest, { text, toolCalls = [], reasoning, usage }: ScriptedAnswer): readonly Plan[] {
  const limit = getMaxTokens(request);
  const items: PlanItem[] = [];
  if (reasoning !== undefined) {
    const pieces = splitPieces(reasoning, limit);
    items.push({ kind: 'reasoning', pieces, tokens: usage?.reasoningTokens ?? pieces.length });
  }
  if (text !== undefined || toolCalls.length === 0) items.push({ kind: 'text', pieces: splitPieces(text ?? '', limit) });
  for (const { name, arguments: input } of toolCalls)
    items.push({ kind: 'call', tool: findTool(request, name), pieces: splitPieces(toText(input), limit) });
  return Array.from({ length: request.choices }, () => limitTokens(items, limit));
}

/** A model calls only tools that it knows, so a script that calls another one no longer fits the request. */
function findTool({ tools }: SimulatorRequest, name: string): SimulatorTool {
  const tool = tools.find((offered) => offered.name === name);
  if (tool) return tool;
  throw new GatewayError<CallCode>('invalid_value', {
    param: 'tools',
    message: `The scripted answer calls the tool '${name}', which this request doesn't offer.`,
  });
}

const toText = (input: object | string): string => (typeof input === 'string' ? input : JSON.stringify(input));

/** Replaces the estimated token counts with the response's. */
export const withScriptedUsage = (estimated: Usage, answer: ScriptedAnswer | null): Usage => ({
  ...estimated,
  input: answer?.usage?.inputTokens ?? estimated.input,
  cached: answer?.usage?.cachedTokens ?? estimated.cached,
  output: answer?.usage?.outputTokens ?? estimated.output,
  reasoning: answer?.usage?.reasoningTokens ?? estimated.reasoning,
});
