/** The prices in force: every version is kept, the newest of each model and list counts, and a change reaches every process within a second (specification part 7). */
import type { Prices as PriceSetting } from '../config/prices.ts';
import { type Prices, readPrices } from './prices.ts';
import type { LedgerStore, PriceVersion } from './store.ts';

/** One version of the price of one model, read. */
export interface PricedVersion {
  readonly version: number;
  readonly priceList: string;
  readonly model: string;
  readonly prices: Prices;
}

export interface PriceBook {
  /** The price of a model in a list; that of the list `standard` where the list says nothing of it. */
  find(priceList: string, model: string): PricedVersion | undefined;
  /** Takes up what was written since; called after a change here, and every second for changes elsewhere. */
  refresh(): Promise<void>;
  close(): void;
}

/** Prices as the configuration has them. */
export interface ConfiguredPrice {
  readonly priceList: string;
  readonly model: string;
  readonly prices: PriceSetting;
}

export const STANDARD = 'standard';
const REFRESH_MS = 1_000;

const keyOf = ({ priceList, model }: Pick<PriceVersion, 'priceList' | 'model'>): string => `${priceList}\n${model}`;

/** A price that an operator set later stays until the file itself says another one than before. */
export async function openPriceBook(ledger: LedgerStore, configured: readonly ConfiguredPrice[], now: () => number): Promise<PriceBook> {
  await writeChanges(ledger, configured, now());
  let byList: ReadonlyMap<string, ReadonlyMap<string, PricedVersion>> = new Map();
  let newest = -1;
  const refresh = async (): Promise<void> => {
    const versions = await ledger.latestPrices();
    const latest = versions.reduce((most, { version }) => Math.max(most, version), 0);
    if (latest === newest) return;
    newest = latest;
    byList = inLists(versions.map(readPriceVersion));
  };
  await refresh();
  // A store that is down has its say in every call; prices stay as they were.
  const timer = setInterval(() => void refresh().catch(() => {}), REFRESH_MS).unref();
  return {
    find: (priceList, model) => byList.get(priceList)?.get(model) ?? byList.get(STANDARD)?.get(model),
    refresh,
    close: () => clearInterval(timer),
  };
}

function inLists(versions: readonly PricedVersion[]): Map<string, Map<string, PricedVersion>> {
  const byList = new Map<string, Map<string, PricedVersion>>();
  for (const version of versions) {
    const list = byList.get(version.priceList) ?? new Map<string, PricedVersion>();
    byList.set(version.priceList, list.set(version.model, version));
  }
  return byList;
}

export const readPriceVersion = ({ version, priceList, model, prices }: PriceVersion): PricedVersion => ({
  version,
  priceList,
  model,
  // Written by this program, from a setting that the schema had approved.
  prices: readPrices(JSON.parse(prices) as PriceSetting),
});

/** A new version for every price that the file has changed since it was last read. */
async function writeChanges(ledger: LedgerStore, configured: readonly ConfiguredPrice[], now: number): Promise<void> {
  const known = new Map((await ledger.latestConfigPrices()).map((version) => [keyOf(version), version.prices]));
  for (const { priceList, model, prices } of configured) {
    const text = JSON.stringify(prices);
    if (known.get(keyOf({ priceList, model })) === text) continue;
    await ledger.addPrice({ priceList, model, source: 'config', prices: text, createdAt: now });
  }
}
