/** The caller: a key with its account, group, permissions, limits, and spending caps. */
import type { BlockList } from 'node:net';
import type { OwnedCap } from '../money/spending-cap.ts';
import type { LimitSettings } from './limit-settings.ts';

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
  /** The caps of the key, of the keys it was created with, and of the account. */
  readonly caps: readonly OwnedCap[];
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
