/** Reads what the token endpoints of Google answer. Their words may quote what was sent, so only their codes are told. */
import { isFields } from '../../../contract/rule.ts';

export interface GoogleToken {
  readonly accessToken: string;
  /** In milliseconds since 1970, by the clock of this machine. */
  readonly endsAt: number;
  /** What the clock of Google is ahead of ours; null where it was not told. */
  readonly aheadMs: number | null;
}

export interface Told {
  readonly status: number;
  readonly body: string;
  /** The header `date`. */
  readonly date: string | undefined;
}

/** More than a clock that is set by a time server is wrong. */
export const SKEW_MS = 240_000;

export function readToken(told: Told, now: number): GoogleToken {
  const said = readOk(told, now);
  const aheadMs = aheadOf(told.date, now);
  const accessToken = said.access_token ?? said.accessToken;
  if (typeof accessToken !== 'string' || !/^[\x21-\x7e]+$/.test(accessToken))
    throw new Error('the token endpoint answered without a token');
  // A duration does not depend on the clock here; the end of an impersonated token is told by Google's.
  const lifeMs = Number(said.expires_in) * 1_000;
  const endsAt = lifeMs > 0 ? now + lifeMs : Date.parse(String(said.expireTime)) - (aheadMs ?? 0);
  if (!(endsAt > now)) throw new Error('the token endpoint answered a token that has ended; is the clock of this machine right?');
  return { accessToken, endsAt, aheadMs };
}

/** The fields of an answer that is no refusal. */
export function readOk({ status, body, date }: Told, now: number): Readonly<Record<string, unknown>> {
  const said = parse(body);
  if (status === 200) return said;
  const code = codeIn(said);
  throw new Error(`the token endpoint answered status ${status}${code === undefined ? '' : `, ${code}`}${clockWords(aheadOf(date, now))}`);
}

/** `invalid_grant` of the token endpoint, `PERMISSION_DENIED` of the others. */
function codeIn({ error }: Readonly<Record<string, unknown>>): string | undefined {
  const word = isFields(error) ? error.status : error;
  return typeof word === 'string' ? /^\w{1,64}$/.exec(word)?.[0] : undefined;
}

function aheadOf(date: string | undefined, now: number): number | null {
  const theirs = date === undefined ? Number.NaN : Date.parse(date);
  return Number.isNaN(theirs) ? null : theirs - now;
}

/** An assertion holds from our clock on: a wrong one is the usual reason for `invalid_grant`. */
function clockWords(aheadMs: number | null): string {
  if (aheadMs === null || Math.abs(aheadMs) < SKEW_MS) return '';
  return `; the clock of this machine is ${Math.round(Math.abs(aheadMs) / 1_000)} seconds ${aheadMs > 0 ? 'behind' : 'ahead'}`;
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : {};
  } catch {
    // A page of a proxy; the status is told.
    return {};
  }
}
