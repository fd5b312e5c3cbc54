/**
 * Keeps every version of every price. The newest version of each model and list applies while the file or an operator sets it, and every process sees a
 * change within a second.
 */

import type { Prices as PriceSetting } from '../config/schema-models.ts';
import type { Read, ReadValue } from '../store/audit.ts';
import { readNumber, readText } from '../store/rows.ts';
import { type Prices, readPrices } from './prices.ts';
import type { LedgerStore, PriceVersion } from './store.ts';

/** One version of a model's price, parsed. */
export interface PricedVersion {
  readonly version: number;
  readonly priceList: string;
  readonly model: string;
  readonly prices: Prices;
}

/** The prices at one point in time. Later versions don't change them. */
export interface PriceView {
  /** Finds the price of a model in a list. Falls back to the list `standard`. */
  find(priceList: string, model: string): PricedVersion | undefined;
}

export interface PriceBook extends PriceView {
  /** The current prices. A new object after every change. */
  readonly now: PriceView;
  /**
   * Reads the versions written since the last read. Called after a change by this process, and every second for changes of other
   * processes.
   */
  refresh(): Promise<void>;
  /**
   * Stores the changed prices of another configuration, all or none, applies them, and calls `swap` in the same turn of the event loop.
   * Rejects and changes nothing if the store fails or a configured price isn't in the book.
   */
  change(configuredPrices: readonly ConfiguredPrice[], swap: () => void): Promise<void>;
  close(): void;
}

/** A configured price. */
export interface ConfiguredPrice {
  readonly priceList: string;
  readonly model: string;
  readonly prices: PriceSetting;
}

export const STANDARD_PRICE_LIST = 'standard';
const REFRESH_MS = 1_000;

const toPriceKey = ({ priceList, model }: Pick<PriceVersion, 'priceList' | 'model'>): string => `${priceList}\n${model}`;

/**
 * A price that an operator set later stays until the file changes that price. A price from the file ends once the file no longer contains
 * it.
 */
export async function openPriceBook(
  ledger: LedgerStore,
  configuredPrices: readonly ConfiguredPrice[],
  now: () => number,
): Promise<PriceBook> {
  await addChangedPrices(ledger, configuredPrices, now());
  const priceBook = new LivePriceBook(ledger, now, configuredPrices);
  await priceBook.refresh();
  return priceBook;
}

class LivePriceBook implements PriceBook {
  readonly #ledger: LedgerStore;
  readonly #now: () => number;
  readonly #timer: NodeJS.Timeout;
  /** The newest version of each price, active or not. */
  #versions: readonly PriceVersion[] = [];
  #configuredPrices: readonly ConfiguredPrice[];
  #view: PriceView = createPriceView([], []);
  /** The newest version that was read, counted from 1. Newer ones may exist. */
  #latestVersion = 0;
  /** Serializes reads and changes, because a read during a change would apply half of it. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(ledger: LedgerStore, now: () => number, configuredPrices: readonly ConfiguredPrice[]) {
    this.#ledger = ledger;
    this.#now = now;
    this.#configuredPrices = configuredPrices;
    // If the store is down, prices stay as they are. Calls report the outage.
    this.#timer = setInterval(() => void this.refresh().catch(() => {}), REFRESH_MS).unref();
  }

  get now(): PriceView {
    return this.#view;
  }

  find(priceList: string, model: string): PricedVersion | undefined {
    return this.#view.find(priceList, model);
  }

  refresh(): Promise<void> {
    return this.#enqueue(() => this.#readVersions());
  }

  change(configuredPrices: readonly ConfiguredPrice[], swap: () => void): Promise<void> {
    return this.#enqueue(async () => {
      await this.#readVersions();
      const configVersions = await addChangedPrices(this.#ledger, configuredPrices, this.#now());
      // From here on, nothing can fail halfway, because no other read is needed. Another process that reads the same file may have
      // written versions since the last read.
      const versions = [...this.#versions, ...configVersions].toSorted((one, other) => one.version - other.version);
      const nextView = createPriceView(versions, configuredPrices);
      const missingPrice = configuredPrices.find(({ priceList, model }) => nextView.find(priceList, model) === undefined);
      if (missingPrice) throw new TypeError(`the price of ${missingPrice.model} isn't in the price book`);
      this.#configuredPrices = configuredPrices;
      this.#view = nextView;
      swap();
    });
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #readVersions(): Promise<void> {
    const versions = await this.#ledger.listLatestPrices();
    const latest = Math.max(0, ...versions.map(({ version }) => version));
    if (latest === this.#latestVersion) return;
    this.#latestVersion = latest;
    this.#versions = versions;
    this.#view = createPriceView(versions, this.#configuredPrices);
  }

  #enqueue(work: () => Promise<void>): Promise<void> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => undefined);
    return result;
  }
}

/** Of two versions of a price, the later one applies. A price that only an earlier file had is no longer active. */
function createPriceView(versions: readonly PriceVersion[], configuredPrices: readonly ConfiguredPrice[]): PriceView {
  const configuredKeys = new Set(configuredPrices.map(toPriceKey));
  const activeVersions = versions.filter((version) => version.source === 'admin' || configuredKeys.has(toPriceKey(version)));
  const byList = groupByList(activeVersions.map(readPriceVersion));
  return { find: (priceList, model) => byList.get(priceList)?.get(model) ?? byList.get(STANDARD_PRICE_LIST)?.get(model) };
}

function groupByList(versions: readonly PricedVersion[]): Map<string, Map<string, PricedVersion>> {
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
  // `as`: the gateway wrote the JSON from a setting validated by the schema.
  prices: readPrices(JSON.parse(prices) as PriceSetting),
});

/**
 * Writes a new version for every price that has changed in the file since the last read. Returns the new and the existing versions of the
 * file.
 */
async function addChangedPrices(
  ledger: LedgerStore,
  configuredPrices: readonly ConfiguredPrice[],
  now: number,
): Promise<readonly PriceVersion[]> {
  const previousVersions = await ledger.listLatestConfigPrices();
  const previousPrices = new Map(previousVersions.map((version) => [toPriceKey(version), version.prices]));
  const newPrices = configuredPrices.map(({ priceList, model, prices }) => ({ priceList, model, prices: JSON.stringify(prices) }));
  const changedPrices = newPrices.filter((price) => previousPrices.get(toPriceKey(price)) !== price.prices);
  if (changedPrices.length === 0) return previousVersions;
  return [...previousVersions, ...(await ledger.addPrices(changedPrices.map((price) => ({ ...price, source: 'config', createdAt: now }))))];
}

interface VersionQuery {
  /** An undefined field doesn't filter. */
  readonly model: string | undefined;
  readonly priceList: string | undefined;
  /** Only versions with a lower number. */
  readonly before: number | undefined;
  readonly limit: number;
}

export async function listPriceVersions(read: Read, { model, priceList, before, limit }: VersionQuery): Promise<readonly PriceVersion[]> {
  const values: ReadValue[] = [];
  const addParameter = (value: ReadValue): string => `?${values.push(value)}`;
  const conditions = [
    ...(model === undefined ? [] : [`model = ${addParameter(model)}`]),
    ...(priceList === undefined ? [] : [`price_list = ${addParameter(priceList)}`]),
    ...(before === undefined ? [] : [`version < ${addParameter(before)}`]),
  ];
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  const rows = await read(
    `SELECT version, price_list, model, source, prices, created_at FROM price_versions ${where} ORDER BY version DESC LIMIT ${addParameter(limit)}`,
    values,
  );
  return rows.map((row) => ({
    version: readNumber(row.version),
    priceList: readText(row.price_list),
    model: readText(row.model),
    source: readText(row.source) === 'admin' ? 'admin' : 'config',
    prices: readText(row.prices),
    createdAt: readNumber(row.created_at),
  }));
}
