/** How much a model shall think: each vendor in Bedrock has a field of its own for it, and most have none. */
import type { Effort, Turn } from '../turn/turn.ts';
import { vendorOf } from './wire.ts';

type Body = Readonly<Record<string, unknown>>;
type Word = 'low' | 'medium' | 'high';

const words: Readonly<Record<Effort, Word>> = {
  none: 'low',
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
  max: 'high',
};

/** Nova can think from its second generation on. */
const thinkingNova = /amazon\.nova-(?:[2-9]|\d\d)/;

/** The field of the model for this effort; null where it has none. */
export function effortField({ model, effort }: Pick<Turn, 'model' | 'effort'>): Body | null {
  if (effort === null) return null;
  if (thinkingNova.test(model))
    return { reasoningConfig: effort === 'none' ? { type: 'disabled' } : { type: 'enabled', maxReasoningEffort: words[effort] } };
  return vendorOf(model) === 'openai' ? { reasoning_effort: words[effort] } : null;
}
