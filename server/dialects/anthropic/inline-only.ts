/** Some places serve Claude without fetching addresses: what a request names by its address is refused before it is sent. */
import { partPath } from '../non-openai/items.ts';
import { refuse } from '../non-openai/refusal.ts';
import type { Part, Turn } from '../turn/turn.ts';

/** Throws for the first image or file that is not in the request itself. */
export function refuseAddresses({ items }: Turn): void {
  for (const item of items) {
    if (item.kind !== 'message' && item.kind !== 'output') continue;
    const at = item.parts.findIndex(isAddress);
    if (at >= 0) refuse(partPath(item, at), 'its upstream fetches no addresses: send a base64 data URL');
  }
}

const isAddress = (part: Part): boolean =>
  (part.kind === 'image' || (part.kind === 'file' && part.data === null)) && part.url !== null && /^https?:\/\//i.test(part.url);
