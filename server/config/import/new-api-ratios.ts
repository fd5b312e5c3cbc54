/** new-api's ratios as prices: a ratio of 1 is two dollars for a million input tokens, and the other ratios multiply it. */
import type { Remarks } from './report.ts';
import { type Fields, fieldsOf, jsonOf, readDecimal, times, writeDecimal } from './values.ts';

export interface Ratios {
  readonly model: Fields;
  readonly completion: Fields;
  readonly cache: Fields;
  readonly createCache: Fields;
  readonly group: Fields;
  /** Dollars for each call. */
  readonly price: Fields;
}

/** Options as a map, or as the list of `{key, value}` that new-api answers with; each value is JSON or a text of it. */
export function ratiosIn(root: Fields): Ratios {
  const given: unknown = root.options;
  const listed = Array.isArray(given)
    ? Object.fromEntries(given.map(fieldsOf).map(({ key, value }) => [String(key), value]))
    : fieldsOf(given);
  const option = (name: string): Fields => fieldsOf(jsonOf(listed[name] ?? root[name]));
  return {
    model: option('ModelRatio'),
    completion: option('CompletionRatio'),
    cache: option('CacheRatio'),
    createCache: option('CreateCacheRatio'),
    group: option('GroupRatio'),
    price: option('ModelPrice'),
  };
}

const DOLLARS = { digits: 2n, places: 0 };

interface Asked {
  readonly ratios: Ratios;
  readonly isImage: boolean;
  readonly remarks: Remarks;
}

/** Undefined where the file does not say all of it: new-api has built-in ratios, which are not guessed here. */
export function pricesOf(id: string, { ratios, isImage, remarks }: Asked): Fields | undefined {
  const call = Object.hasOwn(ratios.price, id) ? readDecimal(ratios.price[id]) : undefined;
  if (call) {
    const dollars = writeDecimal(call);
    if (isImage && dollars !== undefined) return { images: { default: dollars } };
    remarks.add(`ModelPrice.${id}`, 'is a price for each call, and text models are priced by their tokens');
    return undefined;
  }
  const [ratio, completion] = [ratios.model[id], ratios.completion[id]].map(readDecimal);
  if (!ratio || isImage) return undefined;
  if (!completion) {
    remarks.add(`CompletionRatio.${id}`, 'is not in the file, so the price of output is not known');
    return undefined;
  }
  const input = times(ratio, DOLLARS);
  const wanted = {
    input,
    output: times(input, completion),
    cachedInput: part(input, ratios.cache[id]),
    cacheWrite: part(input, ratios.createCache[id]),
  };
  const prices: Record<string, string> = {};
  for (const [name, price] of Object.entries(wanted)) {
    const written = price && writeDecimal(price);
    if (written !== undefined) prices[name] = written;
    else if (price) remarks.add(`${id}.${name}`, 'cannot be written in dollars per million tokens with six decimal places');
  }
  return 'input' in prices && 'output' in prices ? prices : undefined;
}

function part(input: Parameters<typeof times>[0], ratio: unknown): Parameters<typeof times>[0] | undefined {
  const found = readDecimal(ratio);
  return found && times(input, found);
}
