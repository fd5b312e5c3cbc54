/** Finds the caller's ID of its own end user in a request. */
import type { Fields } from '../primitives/fields.ts';

/** `safety_identifier`, or else the older `user`. Null if the request has neither. */
export function findEndUser({ safety_identifier: id, user }: Fields): string | null {
  const name = id ?? user;
  return typeof name === 'string' && name !== '' ? name : null;
}
