/** Some places serve Claude without fetching addresses: what a request names by its address is refused before it is sent. */
import { partPath } from '../non-openai/items.ts';
import { refuse } from '../non-openai/refusal.ts';
import type { Item, Part, Turn } from '../turn/turn.ts';

/** Throws for the first image or file that is not in the request itself. */
export function refuseAddresses({ items, caller }: Turn): void {
  for (const item of items) {
    const at = partsOf(item).findIndex(isAddress);
    if (at < 0) continue;
    const isOutput = item.kind === 'output' && caller === 'responses';
    refuse(isOutput ? `${item.path}.output[${at}]` : partPath(item.path, at), 'its upstream fetches no addresses: send a base64 data URL');
  }
}

const partsOf = (item: Item): readonly Part[] => (item.kind === 'message' || item.kind === 'output' ? item.parts : []);

const isAddress = (part: Part): boolean =>
  (part.kind === 'image' || (part.kind === 'file' && part.data === null)) && part.url !== null && /^https?:\/\//i.test(part.url);
