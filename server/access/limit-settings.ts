/** Rate and concurrency limits that an account or key has instead of the configured ones. */

/** One limit of an account or key; see `limits/limiter.ts`. */
export interface LimitSetting {
  readonly limit: number;
  readonly mode: 'off' | 'observe' | 'enforce';
}

/** Null uses the configured default. */
export interface LimitSettings {
  readonly requestsPerMinute: LimitSetting | null;
  readonly tokensPerMinute: LimitSetting | null;
  readonly concurrency: LimitSetting | null;
}
