/** Reads from a request which end user it's for. */
import type { Fields } from '../primitives/fields.ts';

/** `safety_identifier`, or else the older `user`. Null if the request has neither. */
export function findEndUser({ safety_identifier: id, user }: Fields): string | null {
  const name = id ?? user;
  return typeof name === 'string' && name !== '' ? name : null;
}
