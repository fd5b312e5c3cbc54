/** Reads answers of Microsoft Entra's token endpoints. Error messages may quote the request, so only error codes are reported. */
import { isFields } from '../../../contract/rule.ts';

export interface EntraToken {
  readonly accessToken: string;
  /** In milliseconds since 1970, by the clock of this machine. */
  readonly endsAt: number;
}

export function readToken(status: number, body: string, now: number): EntraToken {
  const said = parse(body);
  if (status !== 200) throw new Error(`the token endpoint answered ${[`status ${status}`, ...codesIn(said)].join(', ')}`);
  const { access_token, expires_in, expires_on } = said;
  if (typeof access_token !== 'string' || !/^[\x21-\x7e]+$/.test(access_token))
    throw new Error('the token endpoint answered without a token');
  // Managed identities send numbers as text. A duration is preferred, because it does not depend on the local clock.
  const lifeMs = Number(expires_in) * 1_000;
  const endsAt = lifeMs > 0 ? now + lifeMs : Number(expires_on) * 1_000;
  if (!(endsAt > now)) throw new Error('the token endpoint answered a token that has ended; is the clock of this machine right?');
  return { accessToken: access_token, endsAt };
}

/** The error codes, such as `invalid_client` and `AADSTS7000215`, whose meaning is public. */
function codesIn({ error, error_description, error_codes }: Readonly<Record<string, unknown>>): string[] {
  const word = typeof error === 'string' ? /^\w{1,64}$/.exec(error)?.[0] : undefined;
  const listed = Array.isArray(error_codes) && typeof error_codes[0] === 'number' ? `AADSTS${error_codes[0]}` : undefined;
  const number = listed ?? (typeof error_description === 'string' ? /AADSTS\d+/.exec(error_description)?.[0] : undefined);
  return [word, number].filter((code) => code !== undefined);
}

/** The claims of a token; empty for a token that is no JWT. They are not verified, and nothing here depends on that. */
export const claimsIn = (token: string): Readonly<Record<string, unknown>> =>
  parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : {};
  } catch {
    // The page of a proxy: only the status is reported.
    return {};
  }
}
