/** The name that a caller gives to requests that belong together, so that the cache of one vendor serves them. */
import type { Fields } from '../../../contract/rule.ts';

/** Null where the request has none. */
export const sessionNameOf = ({ prompt_cache_key: name }: Fields): string | null => (typeof name === 'string' && name !== '' ? name : null);
