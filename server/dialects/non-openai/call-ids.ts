/** Ids of calls for vendors that take only letters, digits, `_` and `-` in them. */
import { shortHash } from '../turn/tool-names.ts';

const foreign = /[^A-Za-z0-9_-]/g;
/** Characters of a hash, with the underscore before it. */
const HASH = 9;

/** The id itself where the vendor takes it. Ids that other upstreams made may hold what it refuses, or be too long; the same id becomes the same one again. */
export function plainCallId(id: string, longest = Number.POSITIVE_INFINITY): string {
  const clean = id.replace(foreign, '_');
  return clean === id && id.length <= longest ? id : `${clean.slice(0, longest - HASH)}_${shortHash(id)}`;
}
