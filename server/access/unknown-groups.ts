/** Finds groups of accounts that the configuration doesn't have, and describes them for the operator. */
import type { AccountRecord } from './store.ts';

interface UnknownGroup {
  readonly name: string;
  /** The number of accounts in the group. */
  readonly accounts: number;
}

/** Sorted by name. */
export function findUnknownGroups(
  accounts: readonly Pick<AccountRecord, 'group'>[],
  configuredGroups: readonly string[],
): readonly UnknownGroup[] {
  const counts = new Map<string, number>();
  for (const { group } of accounts) if (!configuredGroups.includes(group)) counts.set(group, (counts.get(group) ?? 0) + 1);
  return [...counts].map(([name, count]) => ({ name, accounts: count })).toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

export function describeUnknownGroup({ name, accounts }: UnknownGroup): string {
  const accountCount = accounts === 1 ? '1 account' : `${accounts} accounts`;
  return `Group '${name}' of ${accountCount} isn't in the configuration: ${accounts === 1 ? 'it' : 'they'} can't call any model.`;
}
