/** Converts prices between the admin API and the ledger, checks new ones, and lists those in force. */

import { type NewPrice, Prices, type PriceVersion } from '../../../contract/admin/rules.ts';
import type { Model } from '../../config/config.ts';
import { rateNames } from '../../config/rate-names.ts';
import { Prices as PriceSettings } from '../../config/schema-models.ts';
import { STANDARD_PRICE_LIST } from '../../money/price-book.ts';
import type { PriceVersion as PriceRecord } from '../../money/store.ts';
import { toPrintable } from '../../primitives/errors.ts';
import { createInvalidValueError } from './errors.ts';
import type { Operations } from './operations.ts';
import { writeTime } from './times.ts';

type PriceSetting = ReturnType<typeof PriceSettings.parse>;

type RateRecord = Readonly<Record<string, string | undefined>>;

const toConfigRates = (rates: RateRecord): RateRecord => renameRates(rates, rateNames);

const toWireRates = (rates: RateRecord): RateRecord =>
  renameRates(rates, Object.fromEntries(Object.entries(rateNames).map(([name, own]) => [own, name])));

const renameRates = (rates: RateRecord, names: RateRecord): RateRecord =>
  Object.fromEntries(Object.entries(rates).flatMap(([name, rate]) => (rate === undefined ? [] : [[names[name] ?? name, rate]])));

const mapValues = <Value, Result>(
  record: Readonly<Record<string, Value>>,
  map: (value: Value) => Result,
): Readonly<Record<string, Result>> => Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));

/** Converts prices to the format of the configuration and the ledger. */
export function readPrices(prices: Prices): PriceSetting {
  if (prices === 'free' || 'images' in prices) return prices;
  const { long_context: long, service_tiers: serviceTiers, tools, ...rates } = prices;
  return PriceSettings.parse({
    ...toConfigRates(rates),
    ...(long && { longContext: mapValues(long, toConfigRates) }),
    ...(serviceTiers && { serviceTiers }),
    ...(tools && { tools }),
  });
}

export function writePrices(setting: PriceSetting): Prices {
  if (setting === 'free' || 'images' in setting) return setting;
  const { longContext, serviceTiers, tools, ...rates } = setting;
  return Prices.parse({
    ...toWireRates(rates),
    ...(longContext && { long_context: mapValues(longContext, toWireRates) }),
    ...(serviceTiers && { service_tiers: serviceTiers }),
    ...(tools && { tools }),
  });
}

export const readPriceRecord = (record: PriceRecord): PriceSetting => PriceSettings.parse(JSON.parse(record.prices));

export function writePrice(record: PriceRecord): PriceVersion {
  const { version, priceList, model, source, createdAt } = record;
  const prices = writePrices(readPriceRecord(record));
  return { object: 'price', version, price_list: priceList, model, source, prices, created_at: writeTime(createdAt) };
}

/** Returns every price list that a subscription or the configuration can name. */
function listPriceLists({ config }: Operations): string[] {
  const planLists = Object.values(config.plans).map(({ priceList }) => priceList);
  return [...new Set([STANDARD_PRICE_LIST, ...Object.keys(config.priceLists), ...planLists])];
}

/** Image models are priced per image or per token, text models only per token. */
export const isForKind = (prices: PriceVersion['prices'] | PriceSetting, kind: Model['kind']): boolean =>
  kind === 'image' || prices === 'free' || !('images' in prices);

/** Rejects a price that no request could use, because it must be a typo. */
export function checkPrice(
  operations: Operations,
  { price_list: priceList = STANDARD_PRICE_LIST, model: modelId, prices }: NewPriceOrder,
): void {
  const model = operations.config.models.find((one) => one.id === modelId);
  if (!model) throw createInvalidValueError('model', `Model '${toPrintable(modelId)}' not found.`);
  const lists = listPriceLists(operations);
  if (!lists.includes(priceList))
    throw createInvalidValueError('price_list', `Price list '${toPrintable(priceList)}' not found. Available: ${lists.join(', ')}.`);
  if (!isForKind(prices, model.kind)) {
    throw createInvalidValueError('prices', `'${modelId}' is a model of kind 'text', so its prices must be per million tokens.`);
  }
}

type NewPriceOrder = ReturnType<typeof NewPrice.parse>;

/** A configured price applies only while the file contains it. */
const isCurrentPrice = (config: Operations['config'], { source, priceList, model }: PriceRecord): boolean =>
  source === 'admin' || findConfiguredPrices(config, priceList, model) !== undefined;

const findConfiguredPrices = ({ models, priceLists }: Operations['config'], list: string, model: string) =>
  list === STANDARD_PRICE_LIST ? models.find(({ id }) => id === model)?.prices : priceLists[list]?.[model];

/** Stores the configured price as a version first. Otherwise, the next startup would store it as newer than the operator's and replace that. */
export async function storeConfiguredPrice({ config, ledger, now }: Operations, priceList: string, model: string): Promise<void> {
  const isStored = (await ledger?.listLatestConfigPrices())?.some((one) => one.priceList === priceList && one.model === model);
  const prices = findConfiguredPrices(config, priceList, model);
  if (isStored !== false || prices === undefined) return;
  await ledger?.addPrice({ priceList, model, source: 'config', prices: JSON.stringify(prices), createdAt: now() });
}

/** Returns one price per list and model: the latest version, or the configured price if no version exists yet. */
export async function listCurrentPrices({ config, ledger }: Operations): Promise<PriceVersion[]> {
  const storedPrices = ledger ? (await ledger.listLatestPrices()).filter((price) => isCurrentPrice(config, price)).map(writePrice) : [];
  const isStored = (list: string, model: string) => storedPrices.some((one) => one.price_list === list && one.model === model);
  const toConfigPrice = (list: string, model: string, prices: unknown): PriceVersion[] => {
    if (prices === undefined || isStored(list, model)) return [];
    const writtenPrices = writePrices(PriceSettings.parse(prices));
    return [{ object: 'price', version: null, price_list: list, model, source: 'config', prices: writtenPrices, created_at: null }];
  };
  const standardPrices = config.models.flatMap(({ id, prices }) => toConfigPrice(STANDARD_PRICE_LIST, id, prices));
  const otherPrices = Object.entries(config.priceLists).flatMap(([list, byModel]) =>
    Object.entries(byModel).flatMap(([model, prices]) => toConfigPrice(list, model, prices)),
  );
  return [...storedPrices, ...standardPrices, ...otherPrices];
}

/** Returns a call's price. Falls back to the standard list if the account's list has none. */
export async function findPrice(operations: Operations, list: string, model: string): Promise<PriceVersion | undefined> {
  return pickPrice(await listCurrentPrices(operations), list, model);
}

export function pickPrice(prices: readonly PriceVersion[], list: string, model: string): PriceVersion | undefined {
  const findInList = (name: string) => prices.find((one) => one.price_list === name && one.model === model);
  return findInList(list) ?? findInList(STANDARD_PRICE_LIST);
}
