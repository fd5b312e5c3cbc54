/** Values of the operators' API ↔ stored values: times, money, limits, pages. */
import type { Limits, LimitsInput } from '../../contract/admin/fields.ts';
import { PAGE_LENGTH } from '../../contract/admin/fields.ts';
import type { AnyAdminCode } from '../../contract/admin-errors.ts';
import type { LimitSetting, LimitSettings } from '../access/principal.ts';
import { GatewayError } from '../errors.ts';
import type { Written, WrittenLimits } from '../limits/resolve.ts';

export const writeTime = (at: number): string => new Date(at).toISOString();
export const writeTimeOrNull = (at: number | null): string | null => (at === null ? null : writeTime(at));
export const readTimeOrNull = (text: string | null): number | null => (text === null ? null : Date.parse(text));

export function invalid(param: string, message: string): GatewayError {
  return new GatewayError<AnyAdminCode>('invalid_value', { param, message });
}

export function missing(param: string, message: string): GatewayError {
  return new GatewayError<AnyAdminCode>('not_found', { param, message });
}

/** A page was asked for that begins behind something that is not there. */
export const noSuchEntry = (): GatewayError => invalid('after', "'after' must be the id of an entry of this list.");

export const conflict = (message: string): GatewayError => new GatewayError<AnyAdminCode>('conflict', { message });

type LimitInput = LimitsInput[keyof LimitsInput];

function readLimit(limit: LimitInput): LimitSetting | null {
  if (limit === null || limit === undefined) return null;
  return typeof limit === 'number' ? { limit, mode: 'enforce' } : { limit: limit.limit, mode: limit.mode ?? 'enforce' };
}

export function readLimits(limits: LimitsInput | undefined): LimitSettings {
  return {
    requestsPerMinute: readLimit(limits?.requests_per_minute),
    tokensPerMinute: readLimit(limits?.tokens_per_minute),
    concurrency: readLimit(limits?.concurrency),
  };
}

function writeLimit(limit: Written | null | undefined): LimitSetting | null {
  if (limit === null || limit === undefined) return null;
  return typeof limit === 'number' ? { limit, mode: 'enforce' } : { limit: limit.limit, mode: limit.mode };
}

export function writeLimits({ requestsPerMinute, tokensPerMinute, concurrency }: WrittenLimits): Limits {
  return {
    requests_per_minute: writeLimit(requestsPerMinute),
    tokens_per_minute: writeLimit(tokensPerMinute),
    concurrency: writeLimit(concurrency),
  };
}

export interface Page {
  readonly limit?: number | undefined;
  readonly after?: string | undefined;
}

/** A page, from a list with one entry more than requested. */
export function writePage<T>(fetched: readonly T[], limit: number, idOf: (entry: T) => string) {
  const data = fetched.slice(0, limit);
  const last = data.at(-1);
  return { object: 'list' as const, data, has_more: fetched.length > limit, last_id: last === undefined ? null : idOf(last) };
}

/** The page of a whole list that fits in memory. */
export function cutPage<T extends { readonly id: string }>(entries: readonly T[], { limit = PAGE_LENGTH, after }: Page) {
  const start = after === undefined ? 0 : entries.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && start === 0) throw noSuchEntry();
  return writePage(entries.slice(start, start + limit + 1), limit, ({ id }) => id);
}

/** A list without pages. */
export function writeAll<T>(data: T[], idOf: (entry: T) => string) {
  return writePage(data, data.length, idOf);
}
