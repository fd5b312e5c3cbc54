/** The outcomes of calls, with the colour of each. */
import type { Tone } from '../../../kit/values.tsx';

export const toneOf = {
  completed: 'good',
  incomplete: 'neutral',
  refused: 'warn',
  failed: 'bad',
  client_gone: 'neutral',
} as const satisfies Record<string, Tone>;
export const outcomes = ['completed', 'incomplete', 'refused', 'failed', 'client_gone'] as const;
