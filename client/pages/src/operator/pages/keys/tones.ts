/** The color of each state of a key. */
import type { Tone } from '../../../kit/values.tsx';

export const stateTones = { active: 'good', suspended: 'warn', expired: 'neutral', revoked: 'bad' } as const satisfies Record<string, Tone>;
