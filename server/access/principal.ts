/** The caller: a key with its account, group, permissions, limits, and spending cap. */
import type { BlockList } from 'node:net';
import type { LimitSettings } from './limit-settings.ts';

/** A key's spending cap for a period (UTC). */
export interface SpendingCap {
  readonly micros: bigint;
  readonly period: 'day' | 'week' | 'month' | 'never';
}

export interface Principal {
  readonly keyId: string;
  readonly keyName: string;
  readonly accountId: string;
  /** The account's group. */
  readonly group: string;
  readonly permissions: Permissions;
  /** Addresses that the key can be used from. Null for any. */
  readonly addresses: BlockList | null;
  readonly limits: { readonly key: LimitSettings; readonly account: LimitSettings };
  readonly cap: SpendingCap | null;
  /** The key whose spending counts toward the cap: the first key of a rotation chain, so that a rotation doesn't reset the cap. */
  readonly capOwner: string;
}

/** A key's permissions. Null allows everything that its group can do. */
export interface Permissions {
  /** Operation names in the contract (`createResponse`, `generateImages`, …). */
  readonly operations: readonly string[] | null;
  /** Model IDs, or patterns with `*`. */
  readonly models: readonly string[] | null;
  /** Whether the key can store responses. */
  readonly mayStore: boolean;
  /** Whether the key can list and create keys of its account. Defaults to false. */
  readonly manageKeys?: boolean;
}
