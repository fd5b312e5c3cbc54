/** The caller and its permissions. Contains nothing that must not be logged. */
import type { BlockList } from 'node:net';

/** The permissions of a key; null: everything that its group may do. */
export interface Permissions {
  /** Names of operations of the contract (`createResponse`, `generateImages`, …). */
  readonly operations: readonly string[] | null;
  /** Ids of models, or patterns with `*`. */
  readonly models: readonly string[] | null;
  /** Whether responses may be stored. */
  readonly mayStore: boolean;
  /** Whether its holder may list the keys of the account and make others. Absent: no. */
  readonly manageKeys?: boolean;
}

/** One limit of an account or key; see `limits/limiter.ts`. */
export interface LimitSetting {
  readonly limit: number;
  readonly mode: 'off' | 'observe' | 'enforce';
}
/** Null: the default of the configuration. */
export interface LimitSettings {
  readonly requestsPerMinute: LimitSetting | null;
  readonly tokensPerMinute: LimitSetting | null;
  readonly concurrency: LimitSetting | null;
}

/** The spending cap of a key for a period (UTC). */
export interface SpendingCap {
  readonly micros: bigint;
  readonly period: 'day' | 'week' | 'month' | 'never';
}

export interface Principal {
  readonly keyId: string;
  readonly keyName: string;
  readonly accountId: string;
  /** Group of the account. */
  readonly group: string;
  readonly permissions: Permissions;
  /** Addresses that the key may be used from; null: any. */
  readonly addresses: BlockList | null;
  readonly limits: { readonly key: LimitSettings; readonly account: LimitSettings };
  readonly cap: SpendingCap | null;
  /** The key whose spending counts towards the cap: the first key of a chain of rotations, so that a rotation does not reset the cap. */
  readonly capOwner: string;
}
