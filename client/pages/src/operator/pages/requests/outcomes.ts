/** The outcomes of calls, with their colors. */
import type { Tone } from '../../../kit/values.tsx';

export const outcomeTones = {
  completed: 'good',
  incomplete: 'neutral',
  rejected: 'warn',
  failed: 'bad',
  client_disconnected: 'neutral',
} as const satisfies Record<string, Tone>;
export const outcomes = ['completed', 'incomplete', 'rejected', 'failed', 'client_disconnected'] as const;
