/** Models in the catalog: by group with its factor, or for a key owner as the gateway returns them. Prices are micro-dollars times the factor, rounded up. */
import type { Contract } from '../../../../../../contract/index.ts';
import type { PortalContract } from '../../../../../../contract/portal/index.ts';
import type { Success } from '../../../data/contract-types.ts';
import { alignDecimals, formatShare, readDollars, writeDollars } from '../../../data/money.ts';
import { formatDuration } from '../../../data/times.ts';
import { kit } from '../../../texts/kit.ts';
import { catalog as words } from '../../../texts/portal-catalog.ts';

type PublicModel = Success<Contract['getCatalog']>['data'][number];
type OwnModel = Success<PortalContract['listModels']>['data'][number];
type Prices = OwnModel['effective'];

export const abilities = ['tools', 'image_input', 'schema', 'reasoning_effort'] as const;
type Ability = (typeof abilities)[number];

export interface Entry {
  readonly id: string;
  readonly kind: 'text' | 'image';
  readonly context: number | null;
  readonly can: readonly Ability[];
  /** Includes the group's factor. */
  readonly prices: Prices;
  readonly callable: boolean;
  readonly reason: string | null;
  readonly failing: boolean;
  /** Null if unknown. */
  readonly measures: OwnModel['measures'];
}

type SharedFields = Pick<PublicModel, 'id' | 'kind' | 'context_window' | 'abilities'>;
const toSharedFields = ({ id, kind, context_window: context, abilities: has }: SharedFields) => ({
  id,
  kind,
  context,
  can: abilities.filter((one) => (one === 'schema' ? has.structured_output === 'schema' : has[one])),
});

export function toOwnEntry(model: OwnModel): Entry {
  return {
    ...toSharedFields(model),
    prices: model.effective,
    callable: model.callable,
    reason: model.reason,
    failing: model.failing,
    measures: model.measures,
  };
}

/** Empty if the group can't call it. */
export function toGroupEntries(model: PublicModel, group: string): readonly Entry[] {
  const own = model.groups.find(({ name }) => name === group);
  if (own === undefined) return [];
  return [
    {
      ...toSharedFields(model),
      prices: multiplyPrices(model.prices, readDollars(own.multiplier) ?? MILLION),
      callable: true,
      reason: null,
      failing: false,
      measures: null,
    },
  ];
}

const MILLION = 1_000_000n;
const multiply = (amount: string, factor: bigint): string => writeDollars(((readDollars(amount) ?? 0n) * factor + MILLION - 1n) / MILLION);
const multiplyEach = <Name extends string>(amounts: Readonly<Record<Name, string>>, factor: bigint) =>
  // `as`: the names stay the same.
  Object.fromEntries(Object.entries<string>(amounts).map(([name, amount]) => [name, multiply(amount, factor)])) as Record<Name, string>;

function multiplyPrices(prices: Prices, factor: bigint): Prices {
  if (prices === null || prices === 'free') return prices;
  if ('images' in prices) return { images: multiplyEach(prices.images, factor) };
  const { tools, long_context: long = {}, service_tiers, ...rates } = prices;
  const longRates = Object.entries(long).map(([above, others]) => [above, multiplyEach(others, factor)] as const);
  return { ...multiplyEach(rates, factor), long_context: Object.fromEntries(longRates), service_tiers, tools: multiplyEach(tools, factor) };
}

export const formatAbilities = ({ can }: Entry): string => can.map((one) => words.abilities[one]).join(' · ') || kit.none;

export const priceNames = ['input', 'cached', 'output'] as const;
type PriceName = (typeof priceNames)[number];

/** A line for each of `priceNames`, with the price of each entry. All have the same number of decimals. */
export function formatPrices(entries: readonly Entry[]): readonly (readonly string[])[] {
  const lines = priceNames.map((name) => entries.map((entry) => getPrice(entry, name)));
  const texts = alignDecimals(lines.flat().map((micros) => writeDollars(micros ?? 0n)));
  return lines.map((line, index) =>
    line.map((micros, column) => (micros === null ? kit.none : `$${texts[index * entries.length + column]}`)),
  );
}

/** Null without a price. An image model has only an output price, the lowest price of an image. */
export function getPrice({ prices }: Entry, name: PriceName): bigint | null {
  if (prices === null) return null;
  if (prices === 'free') return 0n;
  if ('images' in prices) return name === 'output' ? findLeast(Object.values(prices.images)) : null;
  return readDollars({ input: prices.input, cached: prices.cached_input, output: prices.output }[name]);
}

const findLeast = (amounts: readonly string[]): bigint | null =>
  amounts.map(readDollars).reduce((least, one) => (least === null || (one !== null && one < least) ? one : least), null);

export const measureNames = ['first_ms', 'total_ms', 'success'] as const;
export type MeasureName = (typeof measureNames)[number];
export function formatMeasure({ measures }: Entry, name: MeasureName): string {
  const value = measures?.[name] ?? null;
  if (value === null) return kit.none;
  return name === 'success' ? (formatShare(Math.round(value * 1_000), 1_000) ?? kit.none) : formatDuration(value);
}

const compareValues = (one: bigint | number | string, other: bigint | number | string): number => (one < other ? -1 : one > other ? 1 : 0);

/** Models without such a value come last in both orders. */
export function sortBy(entries: readonly Entry[], by: 'id' | 'context' | 'input' | 'output', order: 'asc' | 'desc'): readonly Entry[] {
  const getSortValue = (entry: Entry) => (by === 'id' || by === 'context' ? entry[by] : getPrice(entry, by));
  return entries.toSorted((one, other) => {
    const [left, right] = [getSortValue(one), getSortValue(other)];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return order === 'asc' ? compareValues(left, right) : compareValues(right, left);
  });
}
