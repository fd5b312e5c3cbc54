/** The header `Idempotency-Key`, and what makes two requests the same one. */
import { createHash } from 'node:crypto';
import { type CallCode, GatewayError } from '../errors.ts';

const MAX_LENGTH = 255;

/** Throws `invalid_value` unless it has 1 to 255 visible characters. */
export function readKey(header: string | string[]): string {
  if (typeof header === 'string' && /^[\x21-\x7e]{1,255}$/.test(header)) return header;
  throw new GatewayError<CallCode>('invalid_value', {
    message: `The header idempotency-key takes one key of 1 to ${MAX_LENGTH} visible characters without blanks.`,
  });
}

/** `parts`: the operation, then everything that was sent, as it was sent. */
export function fingerprintOf(parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest('base64url');
}
