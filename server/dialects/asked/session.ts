/** The name that a caller gives to requests that belong together, so that one vendor's cache serves them. */
import type { Fields } from '../../../contract/rule.ts';

/** Null when the request has none. */
export const sessionNameOf = ({ prompt_cache_key: name }: Fields): string | null => (typeof name === 'string' && name !== '' ? name : null);
