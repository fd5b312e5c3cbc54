/** The token of an `Authorization` header, and one error for every reason. */
import { type ErrorOf, GatewayError, type KeyedName } from '../errors.ts';

/** Longer than any key; bounds the text that is hashed. */
const MAX_HEADER_LENGTH = 200;

/** Exactly one token after the scheme, whose name is case-insensitive (RFC 9110, 11.1). */
export function bearerKey(authorization: string | undefined): string {
  if (authorization === undefined || authorization.length > MAX_HEADER_LENGTH) throw wrongKey();
  const token = /^bearer +([^\s,]+) *$/i.exec(authorization)?.[1];
  if (token === undefined) throw wrongKey();
  return token;
}

export function wrongKey(): ErrorOf<KeyedName, 401> {
  return new GatewayError('invalid_api_key', { headers: { 'www-authenticate': 'Bearer' } });
}
