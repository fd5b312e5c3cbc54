/** Accounts whose group is no longer in the configuration: they may call nothing, so the operator is warned. */
import type { AccountRecord } from './store.ts';

export interface LostGroup {
  readonly name: string;
  /** How many accounts are in it. */
  readonly accounts: number;
}

/** Sorted by name. */
export function findLostGroups(accounts: readonly Pick<AccountRecord, 'group'>[], known: readonly string[]): readonly LostGroup[] {
  const counts = new Map<string, number>();
  for (const { group } of accounts) if (!known.includes(group)) counts.set(group, (counts.get(group) ?? 0) + 1);
  return [...counts].map(([name, count]) => ({ name, accounts: count })).toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

export function describeLostGroup({ name, accounts }: LostGroup): string {
  const whose = accounts === 1 ? '1 account' : `${accounts} accounts`;
  return `The group '${name}' of ${whose} is not in the configuration: ${accounts === 1 ? 'it' : 'they'} may call nothing.`;
}
