/** A key's state as a label. A key that expires soon shows when. */
import type { ListedKey } from '../../../../../../contract/admin/keys.ts';
import { formatAgo } from '../../../data/times.ts';
import { State } from '../../../kit/values.tsx';
import { keys as words } from '../../../texts/keys.ts';

const tones = { active: 'good', suspended: 'warn', expired: 'neutral', revoked: 'bad' } as const;

/** As on the overview. */
const SOON_MS = 7 * 86_400_000;

export function KeyState({ of: { state, expires_at: expiresAt } }: { readonly of: Pick<ListedKey, 'state' | 'expires_at'> }) {
  const now = new Date();
  const end = expiresAt === null ? null : new Date(expiresAt);
  if (state === 'active' && end !== null && end.getTime() < now.getTime() + SOON_MS)
    return <State tone="warn">{words.expiresIn(formatAgo(end, now))}</State>;
  return <State tone={tones[state]}>{words.states[state]}</State>;
}
