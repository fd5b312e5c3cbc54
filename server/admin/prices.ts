/** Prices in the operators' API: those in force, and those of the configuration that are not in force yet. */
import type { NewPrice, Prices, PriceVersion } from '../../contract/admin/rules.ts';
import type { Model } from '../config/catalog.ts';
import { Prices as PriceSettings } from '../config/prices.ts';
import { shown } from '../errors.ts';
import { STANDARD } from '../ledger/price-book.ts';
import type { PriceVersion as PriceRecord } from '../ledger/store.ts';
import type { Operations } from './operations.ts';
import { invalid, writeTime } from './values.ts';

type PriceSetting = ReturnType<typeof PriceSettings.parse>;

/** As it is written in the configuration and in the ledger. */
export function readPrices(prices: Prices): PriceSetting {
  if (prices === 'free' || 'images' in prices) return prices;
  const { cached_input: cachedInput, cache_write: cacheWrite, ...same } = prices;
  return { ...same, ...(cachedInput !== undefined && { cachedInput }), ...(cacheWrite !== undefined && { cacheWrite }) };
}

export function writePrices(setting: PriceSetting): Prices {
  if (setting === 'free' || 'images' in setting) return setting;
  const { input, cachedInput, cacheWrite, ...same } = setting;
  return {
    input,
    ...(cachedInput !== undefined && { cached_input: cachedInput }),
    ...(cacheWrite !== undefined && { cache_write: cacheWrite }),
    ...same,
  };
}

export const readRecord = (record: PriceRecord): PriceSetting => PriceSettings.parse(JSON.parse(record.prices));

export function writePrice(record: PriceRecord): PriceVersion {
  const { version, priceList, model, source, createdAt } = record;
  const prices = writePrices(readRecord(record));
  return { object: 'price', version, price_list: priceList, model, source, prices, created_at: writeTime(createdAt) };
}

/** Every price list that a subscription or the configuration can name. */
function listsOf({ config }: Operations): string[] {
  const sold = Object.values(config.plans).map(({ priceList }) => priceList);
  return [...new Set([STANDARD, ...Object.keys(config.priceLists), ...sold])];
}

/** Images are priced per image, text by tokens. */
export const isForKind = (prices: PriceVersion['prices'] | PriceSetting, kind: Model['kind']): boolean =>
  prices === 'free' || 'images' in prices === (kind === 'image');

/** A price that no request could use is surely a typo. */
export function checkPrice(operations: Operations, { price_list: list = STANDARD, model: id, prices }: NewPriceOrder): void {
  const model = operations.config.models.find((one) => one.id === id);
  if (!model) throw invalid('model', `'${shown(id)}' is not a model of the configuration.`);
  const lists = listsOf(operations);
  if (!lists.includes(list)) throw invalid('price_list', `'${shown(list)}' is not a price list. Lists: ${lists.join(', ')}.`);
  if (!isForKind(prices, model.kind)) {
    throw invalid(
      'prices',
      `${id} is a model of kind ${model.kind}: give it prices per ${model.kind === 'image' ? 'picture' : 'million tokens'}.`,
    );
  }
}
type NewPriceOrder = ReturnType<typeof NewPrice.parse>;

/** A price of the configuration only, while the file has it. */
const isInForce = (config: Operations['config'], { source, priceList, model }: PriceRecord): boolean =>
  source === 'admin' || saidOf(config, priceList, model) !== undefined;

const saidOf = ({ models, priceLists }: Operations['config'], list: string, model: string) =>
  list === STANDARD ? models.find(({ id }) => id === model)?.prices : priceLists[list]?.[model];

/** The price of the configuration becomes a version first: at the next start it would otherwise be newer than the operator's and replace it. */
export async function keepConfigured({ config, ledger, now }: Operations, list: string, model: string): Promise<void> {
  const kept = (await ledger?.latestConfigPrices())?.some((one) => one.priceList === list && one.model === model);
  const prices = saidOf(config, list, model);
  if (kept !== false || prices === undefined) return;
  await ledger?.addPrice({ priceList: list, model, source: 'config', prices: JSON.stringify(prices), createdAt: now() });
}

/** One for each list and model: the newest version, or the price of the configuration when it has no version yet. */
export async function pricesNow({ config, ledger }: Operations): Promise<PriceVersion[]> {
  const kept = ledger ? (await ledger.latestPrices()).filter((price) => isInForce(config, price)).map(writePrice) : [];
  const isKept = (list: string, model: string) => kept.some((one) => one.price_list === list && one.model === model);
  const waiting = (list: string, model: string, prices: unknown): PriceVersion[] => {
    if (prices === undefined || isKept(list, model)) return [];
    const written = writePrices(PriceSettings.parse(prices));
    return [{ object: 'price', version: null, price_list: list, model, source: 'config', prices: written, created_at: null }];
  };
  const standard = config.models.flatMap(({ id, prices }) => waiting(STANDARD, id, prices));
  const others = Object.entries(config.priceLists).flatMap(([list, byModel]) =>
    Object.entries(byModel).flatMap(([model, prices]) => waiting(list, model, prices)),
  );
  return [...kept, ...standard, ...others];
}

/** The price of a call; that of the standard list when its own list has none. */
export async function priceOf(operations: Operations, list: string, model: string): Promise<PriceVersion | undefined> {
  return pickPrice(await pricesNow(operations), list, model);
}

export function pickPrice(prices: readonly PriceVersion[], list: string, model: string): PriceVersion | undefined {
  const find = (name: string) => prices.find((one) => one.price_list === name && one.model === model);
  return find(list) ?? find(STANDARD);
}
