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

/** Accepts a chat completion, a chunk, a response, or an image response. Returns the same object if it has no prices. */
export function withoutProviderPrices(body: Fields): Fields {
  return filterFields(body, (name, value) => {
    if (priceReportFields.has(name)) return withoutNestedPrices(value);
    return containerFields.has(name) ? mapFields(value, withoutProviderPrices) : value;
  });
}

const withoutNestedPrices = (value: unknown): unknown =>
  mapFields(value, (fields) => filterFields(fields, (_, inner) => withoutNestedPrices(inner)));

function mapFields(value: unknown, change: (fields: Fields) => Fields): unknown {
  if (!Array.isArray(value)) return isFields(value) ? change(value) : value;
  const mappedValues = value.map((entry) => mapFields(entry, change));
  return mappedValues.every((entry, index) => entry === value[index]) ? value : mappedValues;
}

/** Removes the object's own prices. Returns the same object if nothing changed. */
function filterFields(fields: Fields, change: (name: string, value: unknown) => unknown): Fields {
  let copy: Record<string, unknown> | null = null;
  for (const name in fields) {
    const value = fields[name];
    const newValue = PRICE_FIELD.test(name) ? undefined : change(name, value);
    if (newValue === value) continue;
    copy ??= { ...fields };
    if (newValue === undefined) delete copy[name];
    else copy[name] = newValue;
  }
  return copy ?? fields;
}
