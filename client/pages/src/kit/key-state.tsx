/** The state of an API key as a label, in the console and the portal. An active key that expires soon shows when. */
import { formatAgo } from '../data/times.ts';
import { kit } from '../texts/kit.ts';
import { State } from './values.tsx';

const tones = { active: 'good', suspended: 'warn', expired: 'neutral', revoked: 'neutral' } as const;

/** As on the overview. */
const SOON_MS = 7 * 86_400_000;

export interface KeyStateProps {
  readonly of: { readonly state: keyof typeof tones; readonly expires_at: string | null };
}
export function KeyState({ of: { state, expires_at: expiresAt } }: KeyStateProps) {
  const now = new Date();
  const end = expiresAt === null ? null : new Date(expiresAt);
  if (state === 'active' && end !== null && end.getTime() < now.getTime() + SOON_MS)
    return <State tone="warn">{kit.keyExpires(formatAgo(end, now))}</State>;
  return <State tone={tones[state]}>{kit.keyStates[state]}</State>;
}
