/** Reads Google's responses with access tokens. */
import { isFields } from '../../primitives/fields.ts';

export interface GoogleToken {
  readonly accessToken: string;
  /** Milliseconds since 1970, by the local clock. */
  readonly endsAt: number;
  /** How far Google's clock is ahead of ours, in milliseconds. Null if the response has no date. */
  readonly aheadMs: number | null;
}

export interface TokenResponse {
  readonly status: number;
  readonly body: string;
  /** The `date` header. */
  readonly date: string | undefined;
}

/** The clock difference to report. Clocks synchronized by NTP differ less. */
export const MAX_CLOCK_SKEW_MS = 240_000;

export function readGoogleToken(response: TokenResponse, now: number): GoogleToken {
  const fields = readSuccessFields(response, now);
  const clockSkewMs = getClockSkew(response.date, now);
  const accessToken = fields.access_token ?? fields.accessToken;
  if (typeof accessToken !== 'string' || !/^[\x21-\x7e]+$/.test(accessToken)) throw new Error('the token endpoint returned no token');
  // `expires_in` is a duration, so the local clock doesn't matter. An impersonated token expires at a time by Google's clock.
  const lifetimeMs = Number(fields.expires_in) * 1_000;
  const endsAt = lifetimeMs > 0 ? now + lifetimeMs : Date.parse(String(fields.expireTime)) - (clockSkewMs ?? 0);
  if (!(endsAt > now)) throw new Error("the token endpoint returned an expired token; check this machine's clock");
  return { accessToken, endsAt, aheadMs: clockSkewMs };
}

/** Returns the fields of a successful response. Throws for any other response. */
export function readSuccessFields({ status, body, date }: TokenResponse, now: number): Readonly<Record<string, unknown>> {
  const fields = parse(body);
  if (status === 200) return fields;
  const code = findErrorCode(fields);
  throw new Error(
    `the token endpoint returned status ${status}${code === undefined ? '' : `, ${code}`}${describeClockSkew(getClockSkew(date, now))}`,
  );
}

/** Returns the error code, such as `invalid_grant` from the token endpoint or `PERMISSION_DENIED` from other endpoints. */
function findErrorCode({ error }: Readonly<Record<string, unknown>>): string | undefined {
  const rawCode = isFields(error) ? error.status : error;
  return typeof rawCode === 'string' ? /^\w{1,64}$/.exec(rawCode)?.[0] : undefined;
}

function getClockSkew(date: string | undefined, now: number): number | null {
  const googleTime = date === undefined ? Number.NaN : Date.parse(date);
  return Number.isNaN(googleTime) ? null : googleTime - now;
}

/** Assertions contain times by the local clock, and a wrong clock is the usual cause of `invalid_grant`. */
function describeClockSkew(clockSkewMs: number | null): string {
  if (clockSkewMs === null || Math.abs(clockSkewMs) < MAX_CLOCK_SKEW_MS) return '';
  return `; this machine's clock is ${Math.round(Math.abs(clockSkewMs) / 1_000)} seconds ${clockSkewMs > 0 ? 'behind' : 'ahead'}`;
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : {};
  } catch {
    // An HTML page from a proxy: only the status is reported.
    return {};
  }
}
