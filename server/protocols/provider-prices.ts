/** Removes what a provider charged from its responses: callers pay the gateway, and purchase prices are the operator's. */
import { type Fields, isFields } from '../primitives/fields.ts';

/**
 * `cost`, `cost_in_usd_ticks` (xAI), `marketCost` (Vercel), `estimated_cost` (DeepInfra), `is_byok` (OpenRouter). OpenAI's response formats have no
 * such field names.
 */
const PRICE_FIELD = /cost|price|pricing|credits?(?![a-z])|usd|byok|discount/i;

/** Objects in which providers report prices, at any depth. */
const priceReportFields = new Set(['usage', 'provider_metadata', 'providerMetadata']);
/** Objects that can contain a report. Other objects contain text from the caller or the model. */
const containerFields = new Set(['choices', 'message', 'delta']);

/** Whether each field name means a price. Providers repeat the same names in every chunk; others can't grow it beyond the limit. */
const isPriceByName = new Map<string, boolean>();
const MAX_NAMES = 1_000;

function isPriceField(name: string): boolean {
  const known = isPriceByName.get(name);
  if (known !== undefined) return known;
  const isPrice = PRICE_FIELD.test(name);
  if (isPriceByName.size < MAX_NAMES) isPriceByName.set(name, isPrice);
  return isPrice;
}

/** Accepts a chat completion, a chunk, a response, or an image response. Returns the same object if it has no prices. */
export const withoutProviderPrices = (body: Fields): Fields => filterFields(body, false);

/** `isReport`: the object is part of a price report. */
function filterFields(fields: Fields, isReport: boolean): Fields {
  let copy: Record<string, unknown> | null = null;
  for (const name in fields) {
    const value = fields[name];
    const newValue = isPriceField(name) ? undefined : filterField(name, value, isReport);
    if (newValue === value) continue;
    copy ??= { ...fields };
    if (newValue === undefined) delete copy[name];
    else copy[name] = newValue;
  }
  return copy ?? fields;
}

function filterField(name: string, value: unknown, isReport: boolean): unknown {
  if (!isFields(value)) return value;
  if (isReport || priceReportFields.has(name)) return filterValue(value, true);
  return containerFields.has(name) ? filterValue(value, false) : value;
}

function filterValue(value: unknown, isReport: boolean): unknown {
  if (!Array.isArray(value)) return isFields(value) ? filterFields(value, isReport) : value;
  const entries = value.map((entry) => filterValue(entry, isReport));
  return entries.every((entry, index) => entry === value[index]) ? value : entries;
}
