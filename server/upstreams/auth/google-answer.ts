/** Reads answers of Google's token endpoints. Error messages may quote the request, so only error codes are reported. */
import { isFields } from '../../../contract/rule.ts';

export interface GoogleToken {
  readonly accessToken: string;
  /** In milliseconds since 1970, by the clock of this machine. */
  readonly endsAt: number;
  /** Milliseconds by which Google's clock is ahead of ours; null when the answer has no date. */
  readonly aheadMs: number | null;
}

export interface Told {
  readonly status: number;
  readonly body: string;
  /** The `date` header. */
  readonly date: string | undefined;
}

/** Clock difference that is reported. Clocks that are set by a time server differ less. */
export const SKEW_MS = 240_000;

export function readToken(told: Told, now: number): GoogleToken {
  const said = readOk(told, now);
  const aheadMs = aheadOf(told.date, now);
  const accessToken = said.access_token ?? said.accessToken;
  if (typeof accessToken !== 'string' || !/^[\x21-\x7e]+$/.test(accessToken))
    throw new Error('the token endpoint answered without a token');
  // A duration does not depend on the local clock. The expiry of an impersonated token is a time by Google's clock.
  const lifeMs = Number(said.expires_in) * 1_000;
  const endsAt = lifeMs > 0 ? now + lifeMs : Date.parse(String(said.expireTime)) - (aheadMs ?? 0);
  if (!(endsAt > now)) throw new Error('the token endpoint answered a token that has ended; is the clock of this machine right?');
  return { accessToken, endsAt, aheadMs };
}

/** The fields of a successful answer. Throws for any other. */
export function readOk({ status, body, date }: Told, now: number): Readonly<Record<string, unknown>> {
  const said = parse(body);
  if (status === 200) return said;
  const code = codeIn(said);
  throw new Error(`the token endpoint answered status ${status}${code === undefined ? '' : `, ${code}`}${clockWords(aheadOf(date, now))}`);
}

/** The error code, such as `invalid_grant` of the token endpoint or `PERMISSION_DENIED` of the others. */
function codeIn({ error }: Readonly<Record<string, unknown>>): string | undefined {
  const word = isFields(error) ? error.status : error;
  return typeof word === 'string' ? /^\w{1,64}$/.exec(word)?.[0] : undefined;
}

function aheadOf(date: string | undefined, now: number): number | null {
  const theirs = date === undefined ? Number.NaN : Date.parse(date);
  return Number.isNaN(theirs) ? null : theirs - now;
}

/** An assertion has times by the local clock; a wrong clock is the usual reason for `invalid_grant`. */
function clockWords(aheadMs: number | null): string {
  if (aheadMs === null || Math.abs(aheadMs) < SKEW_MS) return '';
  return `; the clock of this machine is ${Math.round(Math.abs(aheadMs) / 1_000)} seconds ${aheadMs > 0 ? 'behind' : 'ahead'}`;
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : {};
  } catch {
    // The page of a proxy: only the status is reported.
    return {};
  }
}
