/** The prices in force: every version is kept, the newest of each model and list counts while the file or an operator says so, and a change reaches every process within a second. */
import type { Prices as PriceSetting } from '../config/schema-models.ts';
import type { Read, ReadValue } from '../storage/audit.ts';
import { number, text } from '../storage/rows.ts';
import { type Prices, readPrices } from './charge.ts';
import type { LedgerStore, PriceVersion, SubscriptionRecord } from './store.ts';

/** One version of the price of one model, read. */
export interface PricedVersion {
  readonly version: number;
  readonly priceList: string;
  readonly model: string;
  readonly prices: Prices;
}

/** The prices at one moment: later versions don't change them. */
export interface PriceView {
  /** The price of a model in a list; that of the list `standard` when the list has none. */
  find(priceList: string, model: string): PricedVersion | undefined;
}

export interface PriceBook extends PriceView {
  /** As they are now; another object after every change. */
  readonly now: PriceView;
  /** Reads the versions written since the last look; called after a change here, and every second for changes of other processes. */
  refresh(): Promise<void>;
  /**
   * Stores the prices that differ in another configuration, all or none, puts them in force, and calls `swap` in the same turn of the event loop.
   * Rejects and changes nothing when the store fails or a price of the configuration isn't in the book.
   */
  change(configured: readonly ConfiguredPrice[], swap: () => void): Promise<void>;
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

/** A price that an operator set later stays until the file itself says another one than before; one of a file goes when the file doesn't have it anymore. */
export async function openPriceBook(ledger: LedgerStore, configured: readonly ConfiguredPrice[], now: () => number): Promise<PriceBook> {
  await writeChanges(ledger, configured, now());
  const book = new Book(ledger, now, configured);
  await book.refresh();
  return book;
}

class Book implements PriceBook {
  readonly #ledger: LedgerStore;
  readonly #now: () => number;
  readonly #timer: NodeJS.Timeout;
  /** The newest of each price, in force or not. */
  #kept: readonly PriceVersion[] = [];
  #configured: readonly ConfiguredPrice[];
  #view: PriceView = openPage([], []);
  /** Of the versions that were read, which are counted from 1; others may have come since. */
  #newest = 0;
  /** Looks and changes, one after the other: a look in the middle of a change would put half of it in force. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(ledger: LedgerStore, now: () => number, configured: readonly ConfiguredPrice[]) {
    this.#ledger = ledger;
    this.#now = now;
    this.#configured = configured;
    // A store that is down has its say in every call; prices stay as they were.
    this.#timer = setInterval(() => void this.refresh().catch(() => {}), REFRESH_MS).unref();
  }

  get now(): PriceView {
    return this.#view;
  }

  find(priceList: string, model: string): PricedVersion | undefined {
    return this.#view.find(priceList, model);
  }

  refresh(): Promise<void> {
    return this.#inTurn(() => this.#look());
  }

  change(configured: readonly ConfiguredPrice[], swap: () => void): Promise<void> {
    return this.#inTurn(async () => {
      await this.#look();
      const written = await writeChanges(this.#ledger, configured, this.#now());
      // From here on nothing can fail halfway: no other read is needed. Another process that reads the same file may have written some since the look.
      const versions = [...this.#kept, ...written].toSorted((one, other) => one.version - other.version);
      const next = openPage(versions, configured);
      const lost = configured.find(({ priceList, model }) => next.find(priceList, model) === undefined);
      if (lost) throw new TypeError(`the price of ${lost.model} isn't in the price book`);
      this.#configured = configured;
      this.#view = next;
      swap();
    });
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    const versions = await this.#ledger.latestPrices();
    const latest = Math.max(0, ...versions.map(({ version }) => version));
    if (latest === this.#newest) return;
    this.#newest = latest;
    this.#kept = versions;
    this.#view = openPage(versions, this.#configured);
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

/** The later version of a price in the list applies. A price that only an earlier file had is no longer active. */
function openPage(versions: readonly PriceVersion[], configured: readonly ConfiguredPrice[]): PriceView {
  const said = new Set(configured.map(keyOf));
  const inForce = versions.filter((version) => version.source === 'admin' || said.has(keyOf(version)));
  const byList = inLists(inForce.map(readPriceVersion));
  return { find: (priceList, model) => byList.get(priceList)?.get(model) ?? byList.get(STANDARD)?.get(model) };
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

/** Writes a new version for every price that the file has changed since it was last read. Returns these and those of the file that were there. */
async function writeChanges(ledger: LedgerStore, configured: readonly ConfiguredPrice[], now: number): Promise<readonly PriceVersion[]> {
  const before = await ledger.latestConfigPrices();
  const known = new Map(before.map((version) => [keyOf(version), version.prices]));
  const written = configured.map(({ priceList, model, prices }) => ({ priceList, model, prices: JSON.stringify(prices) }));
  const changed = written.filter((price) => known.get(keyOf(price)) !== price.prices);
  if (changed.length === 0) return before;
  return [...before, ...(await ledger.addPrices(changed.map((price) => ({ ...price, source: 'config', createdAt: now }))))];
}

type Found = SubscriptionRecord | undefined;
/** Immediately for the embedded database, later for another one. */
type ReadSubscription = (accountId: string, at: number) => Found | Promise<Found>;

interface RecentSubscriptions {
  /** The state within the last second, if this process hasn't changed it since. */
  find(accountId: string, at: number): Promise<Found>;
  /** Drops all entries, because this process has changed a subscription. */
  forget(): void;
}

/** Another process may have changed it: after this time the store is asked again. */
const FRESH_MS = 1_000;
/** Some 300 bytes each. */
const MOST = 10_000;

interface Entry {
  readonly record: SubscriptionRecord | undefined;
  readonly at: number;
}

export function openRecentSubscriptions(read: ReadSubscription): RecentSubscriptions {
  let entries = new Map<string, Entry>();
  return {
    async find(accountId, at) {
      const known = entries.get(accountId);
      if (known && isFresh(known, at)) return known.record;
      // A record that was read before a `forget` isn't stored after it.
      const before = entries;
      const record = await read(accountId, at);
      if (before.size >= MOST) before.clear();
      before.set(accountId, { record, at });
      return record;
    },
    forget() {
      entries = new Map();
    },
  };
}

/** A clock that was set back makes an entry look fresh for too long. */
function isFresh({ record, at: askedAt }: Entry, at: number): boolean {
  if (at < askedAt || at >= askedAt + FRESH_MS) return false;
  return record === undefined || (isAhead(record.endsAt, at) && isAhead(record.cancelledAt, at));
}

const isAhead = (time: number | null, at: number): boolean => time === null || time > at;

interface VersionQuery {
  /** A field that is undefined doesn't filter. */
  readonly model: string | undefined;
  readonly priceList: string | undefined;
  /** Only versions with a lower number. */
  readonly before: number | undefined;
  readonly limit: number;
}

export async function listVersions(read: Read, { model, priceList, before, limit }: VersionQuery): Promise<readonly PriceVersion[]> {
  const values: ReadValue[] = [];
  const given = (value: ReadValue): string => `?${values.push(value)}`;
  const conditions = [
    ...(model === undefined ? [] : [`model = ${given(model)}`]),
    ...(priceList === undefined ? [] : [`price_list = ${given(priceList)}`]),
    ...(before === undefined ? [] : [`version < ${given(before)}`]),
  ];
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  const rows = await read(
    `SELECT version, price_list, model, source, prices, created_at FROM price_versions ${where} ORDER BY version DESC LIMIT ${given(limit)}`,
    values,
  );
  return rows.map((row) => ({
    version: number(row.version),
    priceList: text(row.price_list),
    model: text(row.model),
    source: text(row.source) === 'admin' ? 'admin' : 'config',
    prices: text(row.prices),
    createdAt: number(row.created_at),
  }));
}
