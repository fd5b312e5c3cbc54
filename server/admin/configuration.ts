/** The configuration in the operators' API: what runs, a check of the file, and its reload. */
import {
  type ConfigCheck,
  type ConfigSettings,
  type configurationRoutes,
  MAX_ENTRIES,
  type RejectedReload,
} from '../../contract/admin/configuration.ts';
import type { AnyAdminCode } from '../../contract/admin/errors.ts';
import type { AdminContract } from '../../contract/admin/index.ts';
import type { NewPrice, Prices, PriceVersion, ruleRoutes } from '../../contract/admin/rules.ts';
import type { ErrorCode } from '../../contract/errors.ts';
import { entriesOf, shownValue } from '../config/comparison.ts';
import type { Config, Model } from '../config/config.ts';
import { type Problem, placeOf, problemLine } from '../config/document.ts';
import { Prices as PriceSettings } from '../config/schema-models.ts';
import { GatewayError, shown } from '../errors.ts';
import type { HandlersOf } from '../http/ts-rest.ts';
import { formatDollars, parseDollars } from '../ledger/charge.ts';
import { STANDARD } from '../ledger/price-book.ts';
import type { PriceVersion as PriceRecord } from '../ledger/store.ts';
import type { Checked, RejectedReload as Rejected, Reloader } from '../reload/reload.ts';
import { invalid, writeAll, writeLimits, writeTime } from './csv.ts';
import { auditOf, ledgerOf, type Operations } from './operations.ts';

export function configurationHandlers(operations: Operations): HandlersOf<AdminContract, keyof typeof configurationRoutes> {
  return {
    getConfig: async ({ query, ok }) => ok(writeSettings(operations.config, query)),
    async checkConfig({ request, ok }) {
      const checked = await reloaderOf(operations).check();
      const { digest, problems } = checked;
      const details = { digest, problems: problems.length };
      await operations.access.store.note(auditOf(operations, request, { action: 'config.check', target: 'config', details }));
      return ok(writeCheck(checked));
    },
    async reloadConfig({ request, body, ok }) {
      const { access } = operations;
      const digest = body?.digest;
      const note = async ({ kind: _, ...names }: object & { readonly kind: string }): Promise<void> => {
        const details = digest === undefined ? names : { ...names, digest };
        await access.store.note(auditOf(operations, request, { action: 'config.reload', target: 'config', details }));
      };
      // Noted before the change: there must be no change without an audit entry.
      const outcome = await reloaderOf(operations).reload('admin', note, digest);
      if (outcome.kind === 'rejected') throw new ReloadError(outcome);
      const { added, removed, changed } = outcome;
      return ok({ object: 'config_reload', added: [...added], removed: [...removed], changed: [...changed] });
    },
  };
}

function reloaderOf({ reloader }: Operations): Reloader {
  if (reloader) return reloader;
  throw new GatewayError<AnyAdminCode>('conflict', { message: NOT_HERE });
}

interface Wanted {
  readonly under?: string | undefined;
  readonly source?: string | undefined;
}

/** Returns the settings, which `modelgate config show` also prints. */
export function writeSettings(config: Config, { under, source }: Wanted): ConfigSettings {
  const entries: ConfigSettings['entries'] = [];
  for (const entry of entriesOf(config)) {
    if (under !== undefined && entry.key !== under && !entry.key.startsWith(`${under}.`)) continue;
    if (source !== undefined && entry.source.kind !== source) continue;
    if (entries.length === MAX_ENTRIES) return { object: 'config', file: config.file, entries, has_more: true };
    entries.push({ key: entry.key, value: shownValue(entry), secret: entry.isSecret, source: entry.source });
  }
  return { object: 'config', file: config.file, entries, has_more: false };
}

/** Maximum number of keys per kind of change in a response. */
const MAX_CHANGES = 1_000;

const writeCheck = ({ digest, added, removed, changed, needsRestart, problems }: Checked): ConfigCheck => ({
  object: 'config_check',
  digest,
  added: added.slice(0, MAX_CHANGES),
  removed: removed.slice(0, MAX_CHANGES),
  changed: changed.slice(0, MAX_CHANGES),
  needs_restart: needsRestart.slice(0, MAX_CHANGES),
  problems: problems.slice(0, MAX_PROBLEMS).map(writeProblem),
});

const writeProblem = ({ where, key, message, remedy: hint }: Problem) => ({ where, ...placeOf(where), key, message, hint });

const NOT_HERE =
  'No gateway is running in this process. Specify the admin listener of the running one with --url, or send it SIGHUP (kill -HUP, systemctl reload).';

const codes: Readonly<Record<Rejected['reason'], ErrorCode>> = {
  wrong: 'invalid_value',
  other: 'config_changed',
  restart: 'conflict',
  store: 'overloaded',
};
/** Maximum number of problems in a response. Many are consequences of one mistake. */
const MAX_PROBLEMS = 100;

/** Adds all problems to the usual error body. */
class ReloadError extends GatewayError {
  readonly #problems: Rejected['problems'];

  constructor({ reason, problems }: Rejected) {
    const [first] = problems;
    super(codes[reason], {
      message: `The configuration wasn't reloaded; the previous one is still active. ${first ? problemLine(first) : ''}`,
      ...(first && first.key !== '' && { param: first.key }),
    });
    this.#problems = problems;
  }

  override get body(): RejectedReload {
    return { ...super.body, problems: this.#problems.slice(0, MAX_PROBLEMS).map(writeProblem) };
  }
}

type PriceSetting = ReturnType<typeof PriceSettings.parse>;

/** Converts prices to the form of the configuration and the ledger. */
export function readPrices(prices: Prices): PriceSetting {
  if (prices === 'free' || 'images' in prices) return prices;
  const {
    cached_input: cachedInput,
    cache_write: cacheWrite,
    cache_write_1h: cacheWrite1h,
    cache_write_12h: cacheWrite12h,
    ...same
  } = prices;
  return {
    ...same,
    ...(cachedInput !== undefined && { cachedInput }),
    ...(cacheWrite !== undefined && { cacheWrite }),
    ...(cacheWrite1h !== undefined && { cacheWrite1h }),
    ...(cacheWrite12h !== undefined && { cacheWrite12h }),
  };
}

export function writePrices(setting: PriceSetting): Prices {
  if (setting === 'free' || 'images' in setting) return setting;
  const { input, cachedInput, cacheWrite, cacheWrite1h, cacheWrite12h, ...same } = setting;
  return {
    input,
    ...(cachedInput !== undefined && { cached_input: cachedInput }),
    ...(cacheWrite !== undefined && { cache_write: cacheWrite }),
    ...(cacheWrite1h !== undefined && { cache_write_1h: cacheWrite1h }),
    ...(cacheWrite12h !== undefined && { cache_write_12h: cacheWrite12h }),
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

/** Rejects a price that no request could use, which must be a typo. */
export function checkPrice(operations: Operations, { price_list: list = STANDARD, model: id, prices }: NewPriceOrder): void {
  const model = operations.config.models.find((one) => one.id === id);
  if (!model) throw invalid('model', `Model '${shown(id)}' not found.`);
  const lists = listsOf(operations);
  if (!lists.includes(list)) throw invalid('price_list', `Price list '${shown(list)}' not found. Available: ${lists.join(', ')}.`);
  if (!isForKind(prices, model.kind)) {
    throw invalid(
      'prices',
      `'${id}' is a model of kind '${model.kind}', so its prices must be per ${model.kind === 'image' ? 'image' : 'million tokens'}.`,
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

/** Six decimal places, as for dollars. */
export const writeMultiplier = (multiplier: string): string => formatDollars(parseDollars(multiplier));

export function ruleHandlers(operations: Operations): HandlersOf<AdminContract, keyof typeof ruleRoutes> {
  return {
    async listGroups({ ok }) {
      const { groups, models } = operations.config;
      const data = Object.entries(groups).map(([name, { multiplier, limits }]) => ({
        object: 'group' as const,
        name,
        multiplier: writeMultiplier(multiplier),
        limits: writeLimits(limits),
        models: models.filter((model) => model.groups.includes(name)).map(({ id }) => id),
      }));
      return ok(writeAll(data, ({ name }) => name));
    },

    async listPrices({ ok }) {
      ledgerOf(operations);
      return ok(writeAll(await pricesNow(operations), ({ price_list: list, model }) => `${list}/${model}`));
    },

    async createPrice({ request, body, ok }) {
      const ledger = ledgerOf(operations);
      checkPrice(operations, body);
      const { price_list: priceList = STANDARD, model } = body;
      await keepConfigured(operations, priceList, model);
      const prices = JSON.stringify(readPrices(body.prices));
      const earlier = (await pricesNow(operations)).find((one) => one.price_list === priceList && one.model === model);
      const details = { ...body, before: { prices: earlier?.prices ?? null } };
      const audit = auditOf(operations, request, { action: 'price.set', target: `${priceList}/${model}`, details });
      const record = await ledger.addPrice({ priceList, model, source: 'admin', prices, createdAt: audit.at }, audit);
      // The price is stored, so a store that fails now changes nothing. Prices are read again each second anyway.
      await operations.prices?.refresh().catch(() => undefined);
      return ok(writePrice(record));
    },

    async getLimits({ ok }) {
      const { limits, groups, models } = operations.config;
      return ok({
        object: 'limits',
        per_key: writeLimits(limits.perKey),
        per_account: writeLimits(limits.perAccount),
        groups: Object.entries(groups).map(([name, group]) => ({ name, limits: writeLimits(group.limits) })),
        models: models.map((model) => ({ id: model.id, limits: writeLimits(model.limits) })),
      });
    },
  };
}
