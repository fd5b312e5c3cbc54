/** `modelgate price …` lists and sets the prices of models. */
import { type Command, InvalidArgumentError } from 'commander';
import type { Prices, PriceVersion } from '../../contract/admin/rules.ts';
import { namesLike, readPublicModels, type Suggestion, suggestAll, suggestModel, writeSuggestions } from '../config/public-models.ts';
import {
  type AdminOptions,
  addAdminCommand,
  addGroup,
  callAll,
  formatTable,
  LOCATION_HELP,
  type LocationOptions,
  print,
  readConfig,
  shortTime,
  withAdmin,
  withConfigOption,
} from './administration.ts';
import { CommandError, EXIT_CODE_HELP, ReportedError } from './serving.ts';
import { parseDollars, type Said } from './settings.ts';

export function addPrice(program: Command): void {
  const price = addGroup(program, 'price', 'list and set model prices');
  addList(price);
  addVersions(price);
  addSet(price);
}

interface VersionOptions extends AdminOptions {
  readonly model?: string;
  readonly list?: string;
}

function addVersions(price: Command): void {
  addAdminCommand(price, 'versions', {
    description: 'list all price versions, newest first',
    examples: ['modelgate price versions --model gpt-5.4', 'modelgate price versions --list wholesale --json'],
  })
    .option('--model <id>', 'only prices of this model')
    .option('--list <name>', 'only prices of this price list')
    .action(async (options: VersionOptions) => {
      const { model, list: priceList } = options;
      await withAdmin(options, async (client) => {
        const list = await callAll(client, 'listPriceVersions', { query: { model, price_list: priceList } });
        print(options, list, priceTable(list.data));
      });
    });
}

function addList(price: Command): void {
  addAdminCommand(price, 'list', {
    description: 'list current prices by model and price list',
    examples: ['modelgate price list', 'modelgate price list --json'],
  }).action(async (options: AdminOptions) => {
    await withAdmin(options, async (client) => {
      const list = await client.call('listPrices', {});
      print(options, list, priceTable(list.data));
    });
  });
}

function priceTable(versions: readonly PriceVersion[]): string {
  const rows = versions.map((one) => [
    one.price_list,
    one.model,
    one.version === null ? 'not yet' : String(one.version),
    one.source,
    one.created_at === null ? '-' : shortTime(one.created_at),
    priceText(one.prices),
  ]);
  return formatTable(['LIST', 'MODEL', 'VERSION', 'SOURCE', 'SINCE', 'DOLLARS'], rows);
}

/** By kind of image or tool; null removes the price. */
type Rates = Readonly<Record<string, string | null>>;

interface SetOptions extends AdminOptions {
  readonly list?: string;
  readonly input?: string;
  readonly cachedInput?: Said<string>;
  readonly cacheWrite?: Said<string>;
  readonly cacheWrite1h?: Said<string>;
  readonly cacheWrite12h?: Said<string>;
  readonly output?: string;
  readonly image?: Rates;
  readonly tool?: Rates;
  readonly free?: boolean;
}

const STANDARD = 'standard';

function addSet(price: Command): void {
  addAdminCommand(price, 'set <model>', {
    description: 'create a new price version; omitted prices stay the same, and requests in flight keep their original version',
    examples: [
      'modelgate price set gpt-5.4 --input 1.25 --cached-input 0.125 --output 10',
      "modelgate price set gpt-image-2 --image '*/low=0.016' --image default=0.25",
      'modelgate price set gpt-5.4 --list wholesale --input 1 --output 8',
    ],
  })
    .option('--list <list>', 'price list (default: standard)')
    .option('--input <dollars>', 'per million input tokens', parseDollars)
    .option('--cached-input <dollars>', 'per million tokens read from a cache; none for the input price', parseDollarsOrNone)
    .option('--cache-write <dollars>', 'per million tokens written to a cache; none for the input price', parseDollarsOrNone)
    .option(
      '--cache-write-1h <dollars>',
      'per million tokens written to a cache for 1 hour; none for the price of --cache-write',
      parseDollarsOrNone,
    )
    .option(
      '--cache-write-12h <dollars>',
      'per million tokens written to a cache for 12 hours; none for the price of --cache-write',
      parseDollarsOrNone,
    )
    .option('--output <dollars>', 'per million output tokens, including reasoning', parseDollars)
    .option('--image <kind=dollars>', 'per image, by size/quality or default; repeatable; none removes it', addRate)
    .option(
      '--tool <kind=dollars>',
      'per call of a tool that the upstream runs, such as web_search_call=0.01; repeatable; none removes it',
      addRate,
    )
    .option('--free', 'costs nothing')
    .action(async (model: string, options: SetOptions) => {
      await withAdmin(options, async (client) => {
        const { data } = await client.call('listPrices', {});
        const of = (list: string) => data.find((one) => one.price_list === list && one.model === model);
        const own = of(options.list ?? STANDARD);
        const prices = pricesFrom(options, own?.prices, model);
        const made = await client.call('createPrice', { body: { price_list: options.list, model, prices } });
        const text = `Version ${made.version} of ${made.price_list}/${made.model}: ${priceText(made.prices)}\n`;
        print(options, made, text + beforeText(own, of(STANDARD)));
      });
    });
}

/** A list without its own price used the standard one. */
function beforeText(own: PriceVersion | undefined, standard: PriceVersion | undefined): string {
  if (own) return `Before: ${priceText(own.prices)}\n`;
  return standard ? `Before: ${priceText(standard.prices)} (price list ${STANDARD})\n` : '';
}

const parseDollarsOrNone = (text: string): Said<string> => ({ value: text === 'none' ? null : parseDollars(text) });

function addRate(text: string, before: Rates = {}): Rates {
  const [, kind, dollars] = /^(\S+)=(\S+)$/.exec(text) ?? [];
  if (kind === undefined || dollars === undefined)
    throw new InvalidArgumentError("Enter size/quality and dollars, such as '1024x1024/high=0.167'.");
  return { ...before, [kind]: parseDollarsOrNone(dollars).value };
}

function pricesFrom(options: SetOptions, before: Prices = 'free', model: string): Prices {
  const { input, cachedInput, cacheWrite, cacheWrite1h, cacheWrite12h, output, tool, image, free, list = STANDARD } = options;
  const isByTokens = [input, cachedInput, cacheWrite, cacheWrite1h, cacheWrite12h, output, tool].some((one) => one !== undefined);
  const named = [isByTokens, image, free].filter(Boolean).length;
  if (named === 0)
    throw new CommandError('Specify what to change: --input, --cached-input, --cache-write, --output, --tool, --image, or --free.');
  if (named > 1) throw new CommandError('Specify token prices, --image, or --free.');
  if (free) return 'free';
  const prices = image ? imagePrices(image, before) : tokenPrices(options, before);
  if (prices) return prices;
  const [kind, needed] = image ? ['image', '--image with a default'] : ['token', '--input and --output'];
  throw new CommandError(`${model} has no ${kind} prices in price list ${list} yet. Specify ${needed}.`);
}

function imagePrices(named: Rates, before: Prices): Prices | undefined {
  const kept = before !== 'free' && 'images' in before ? before.images : undefined;
  // The API ensures that the entry `default` stays.
  return kept || 'default' in named ? { images: changeRates(kept, named) } : undefined;
}

function tokenPrices(
  { cachedInput, cacheWrite, cacheWrite1h, cacheWrite12h, tool, ...named }: SetOptions,
  before: Prices,
): Prices | undefined {
  const kept = before !== 'free' && 'input' in before ? before : undefined;
  const [input, output] = [named.input ?? kept?.input, named.output ?? kept?.output];
  if (input === undefined || output === undefined) return undefined;
  return {
    input,
    cached_input: said(cachedInput, kept?.cached_input),
    cache_write: said(cacheWrite, kept?.cache_write),
    cache_write_1h: said(cacheWrite1h, kept?.cache_write_1h),
    cache_write_12h: said(cacheWrite12h, kept?.cache_write_12h),
    output,
    tools: tool ? changeRates(kept?.tools, tool) : kept?.tools,
  };
}

/** Undefined means the price of input, or of all writes. */
const said = (named: Said<string> | undefined, before: string | undefined): string | undefined =>
  named === undefined ? before : (named.value ?? undefined);

function changeRates(before: Readonly<Record<string, string>> = {}, named: Rates): Record<string, string> {
  const entries = Object.entries({ ...before, ...named }).filter((entry): entry is [string, string] => entry[1] !== null);
  return Object.fromEntries(entries);
}

interface SuggestOptions extends LocationOptions {
  readonly upstream?: string;
  readonly provider?: string;
  readonly json?: boolean;
}

function addModelSuggest(model: Command): void {
  withConfigOption(model.command('suggest [names...]'))
    .description('print configuration entries with list prices and limits for models, by their names at the provider')
    .option('--upstream <name>', 'only models that this configured upstream serves; without names: all of them')
    .option(
      '--provider <name>',
      'a provider in the catalog instead of the upstreams, such as openai or amazon-bedrock; without names: all of its models',
    )
    .option('--json', 'print the catalog entries as JSON')
    .addHelpText(
      'after',
      `
Prices are suggestions of the day that is printed with them. Nothing is changed, and nobody is asked: the list comes with this program.

Examples:
  modelgate model suggest gpt-5.4 claude-sonnet-4-5
  modelgate model suggest --provider deepseek
  modelgate model suggest --upstream bedrock us.amazon.nova-pro-v1:0
${LOCATION_HELP}
${EXIT_CODE_HELP}`,
    )
    .action(suggest);
}

function suggest(names: readonly string[], options: SuggestOptions): void {
  const { shell, json } = options;
  const catalog = readPublicModels();
  const places = placesOf(options, Object.keys(catalog.providers));
  if (names.length === 0 && options.upstream === undefined && options.provider === undefined)
    throw new CommandError('Specify models, or --upstream or --provider for all of its models.');
  const found = names.length === 0 ? suggestAll(places, catalog) : names.flatMap((name) => suggestModel(name, places, catalog) ?? []);
  const { source, licence, date } = catalog;
  if (json) shell.stdout.write(`${JSON.stringify({ object: 'suggestions', source, licence, date, data: found }, null, 2)}\n`);
  else if (found.length > 0) shell.stdout.write(writeSuggestions(found, catalog));
  const missing = names.filter((name) => !found.some((one: Suggestion) => one.name === name));
  for (const name of missing) shell.stderr.write(`${missingText(name, namesLike(name, catalog))}\n`);
  if (found.length === 0 && missing.length === 0) shell.stderr.write('The catalog has no models for that upstream.\n');
  if (missing.length > 0 || found.length === 0) throw new ReportedError();
}

const missingText = (name: string, like: readonly string[]): string =>
  `${name} isn't in the catalog${like.length > 0 ? `; it has ${like.join(', ')}` : ''}.`;

function placesOf(options: SuggestOptions, providers: readonly string[]) {
  const { upstream, provider } = options;
  if (provider !== undefined) {
    if (!providers.includes(provider))
      throw new CommandError(`${provider} isn't a provider in the catalog. Available: ${providers.join(', ')}.`);
    return { upstreams: [], provider };
  }
  const configured = readConfig(options).upstreams;
  if (upstream === undefined) return { upstreams: Object.values(configured) };
  const named = configured[upstream];
  if (!named) throw new CommandError(`Upstream '${upstream}' not found. Configured: ${Object.keys(configured).join(', ')}.`);
  return { upstreams: [named] };
}

export function addModels(program: Command): void {
  const model = addGroup(program, 'model', 'list configured models, and suggest entries for more').alias('models');
  addModelSuggest(model);
  addAdminCommand(model, 'list', {
    description: 'list models with their upstreams, groups, and usage in the last 30 days',
    examples: ['modelgate model list', 'modelgate model list --json   # with the prices of each list'],
  }).action(async (options: AdminOptions) => {
    await withAdmin(options, async (client) => {
      const list = await client.call('listModels', {});
      const rows = list.data.map(({ id, kind, groups, candidates, requests_30d: requests, charged_30d: charged, last_used_at: used }) => [
        id,
        kind,
        groups.join(', '),
        candidates.map(({ upstream }) => upstream).join(', '),
        String(requests),
        charged,
        used === null ? '-' : shortTime(used),
      ]);
      print(options, list, formatTable(['MODEL', 'KIND', 'GROUPS', 'UPSTREAMS', 'CALLS 30 D', 'CHARGED 30 D', 'LAST HOUR'], rows));
    });
  });
}

/** Per million tokens, per image, or per call of a tool. */
export function priceText(prices: Prices): string {
  if (prices === 'free') return 'free';
  const { tools = {}, ...tokens } = 'images' in prices ? prices.images : prices;
  const rates = Object.entries({ ...tokens, ...(typeof tools === 'object' && tools) });
  return rates.map(([name, rate]) => `${name} ${rate}`).join(', ');
}
