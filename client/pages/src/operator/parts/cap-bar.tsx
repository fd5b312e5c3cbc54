/** How much of the spending cap of a key is used, as a bar and in words. */
import type { ListedKey } from '../../../../../contract/admin/keys.ts';
import { formatCents, readDollars, toPerMille } from '../../data/money.ts';
import { Meter } from '../../kit/values.tsx';
import { keys as words } from '../../texts/keys.ts';
import { kit } from '../../texts/kit.ts';

const toMicros = (amount: string | null): bigint => readDollars(amount ?? '0') ?? 0n;

/** For sorting: the share of the cap, in per mille; null without a cap. */
export const getCapShare = ({ spending_cap: cap, use }: ListedKey): number | null =>
  cap === null ? null : toPerMille(toMicros(use.cap_used), toMicros(cap.amount));

export function CapBar({ row }: { readonly row: ListedKey }) {
  const { spending_cap: cap, use } = row;
  if (cap === null) return <span className="soft">{kit.none}</span>;
  const [used, whole] = [formatCents(toMicros(use.cap_used)), formatCents(toMicros(cap.amount))];
  return (
    <span className="cap-bar">
      <Meter label={words.capUsed} perMille={getCapShare(row) ?? 0} />
      <span className="number small">{words.usedOf(used, whole, words.capPeriods[cap.period])}</span>
    </span>
  );
}
