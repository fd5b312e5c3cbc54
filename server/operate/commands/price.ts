/** `modelgate price …`: lists and sets the prices of models. */
import { type Command, InvalidArgumentError } from 'commander';
import type { Prices, PriceVersion } from '../../../contract/admin/rules.ts';
import { rateNames } from '../../config/rate-names.ts';
import { type AdminOptions, addAdminCommand, addCommandGroup, withAdmin } from './admin-command.ts';
import { CommandError } from './command-error.ts';
import { type OptionValue, parseDollars } from './option-values.ts';
import { formatShortTime, printResult } from './print-result.ts';
import { addRequestCommand } from './request-command.ts';

export function addPriceCommands(program: Command): void {
  const price = addCommandGroup(program, 'price');
  addRequestCommand(price, 'list', {
    description: 'list current prices by model and price list',
    examples: ['modelgate price list', 'modelgate price list --json'],
    operation: 'listPrices',
    print: columns,
  });
  addRequestCommand(price, 'versions', {
    description: 'list all price versions, newest first',
    examples: ['modelgate price versions --model gpt-5.4', 'modelgate price versions --list wholesale --json'],
    operation: 'listPriceVersions',
    options: {
      model: ['--model <id>', 'only prices of this model'],
      price_list: ['--list <name>', 'only prices of this price list'],
    },
    allPages: true,
    print: columns,
  });
  addSetCommand(price);
}

const columns = {
  LIST: 'price_list',
  MODEL: 'model',
  VERSION: ({ version }: PriceVersion) => String(version ?? 'not yet'),
  SOURCE: 'source',
  SINCE: ({ created_at: created }: PriceVersion) => (created === null ? '-' : formatShortTime(created)),
  DOLLARS: ({ prices }: PriceVersion) => formatPrice(prices),
} as const;

/** Prices by kind of image, tool, or service tier. Null removes a price. */
type Rates = Readonly<Record<string, string | null>>;
type TokenPrices = Extract<Prices, { input: string }>;
/** Prices by number of input tokens. Null removes an entry. */
type LongContext = Readonly<Record<string, Readonly<Record<string, string>> | null>>;

interface SetOptions extends AdminOptions {
  readonly list?: string;
  readonly input?: string;
  readonly cachedInput?: OptionValue<string>;
  readonly cacheWrite?: OptionValue<string>;
  readonly cacheWrite1h?: OptionValue<string>;
  readonly cacheWrite12h?: OptionValue<string>;
  readonly imageInput?: OptionValue<string>;
  readonly audioInput?: OptionValue<string>;
  readonly output?: string;
  readonly imageOutput?: OptionValue<string>;
  readonly audioOutput?: OptionValue<string>;
  readonly longContext?: LongContext;
  readonly serviceTier?: Rates;
  readonly image?: Rates;
  readonly tool?: Rates;
  readonly free?: boolean;
}

const STANDARD_LIST = 'standard';

function addSetCommand(price: Command): void {
  addAdminCommand(price, 'set <model>', {
    description: 'create a new price version; omitted prices stay the same, and requests in flight keep their original version',
    examples: [
      'modelgate price set gpt-5.4 --input 2.5 --cached-input 0.25 --output 15',
      'modelgate price set gpt-5.4 --long-context 272000:input=5,cached_input=0.5,output=22.5 --service-tier flex=0.5',
      "modelgate price set gpt-image-2 --image '*/low=0.016' --image default=0.25",
      'modelgate price set gpt-5.4 --list wholesale --input 1 --output 8',
    ],
  })
    .option('--list <list>', 'price list (default: standard)')
    .option('--input <dollars>', 'per million input tokens', parseDollars)
    .option('--cached-input <dollars>', 'per million tokens read from a cache, or none for the input price', parseDollarsOrNone)
    .option('--cache-write <dollars>', 'per million tokens written to a cache, or none for the input price', parseDollarsOrNone)
    .option(
      '--cache-write-1h <dollars>',
      'per million tokens written to a cache for 1 hour, or none for the --cache-write price',
      parseDollarsOrNone,
    )
    .option(
      '--cache-write-12h <dollars>',
      'per million tokens written to a cache for 12 hours, or none for the --cache-write price',
      parseDollarsOrNone,
    )
    .option('--image-input <dollars>', 'per million image input tokens, or none for the input price', parseDollarsOrNone)
    .option('--audio-input <dollars>', 'per million audio input tokens, or none for the input price', parseDollarsOrNone)
    .option('--output <dollars>', 'per million output tokens, including reasoning', parseDollars)
    .option('--image-output <dollars>', 'per million image output tokens, or none for the output price', parseDollarsOrNone)
    .option('--audio-output <dollars>', 'per million audio output tokens, or none for the output price', parseDollarsOrNone)
    .option(
      '--long-context <tokens:prices>',
      'all prices for requests with more input tokens than this, such as 272000:input=5,output=22.5; repeatable; 272000:none removes them',
      addLongContext,
    )
    .option('--service-tier <tier=factor>', 'token price factor for a service tier, such as flex=0.5; repeatable; none removes it', addRate)
    .option('--image <kind=dollars>', 'per image, by size/quality, partial, or default; repeatable; none removes it', addRate)
    .option('--tool <kind=dollars>', 'per call of a hosted tool, such as web_search_call=0.01; repeatable; none removes it', addRate)
    .option('--free', 'make the model free')
    .action(async (model: string, options: SetOptions) => {
      await withAdmin(options, async (client) => {
        const { data } = await client.call('listPrices', {});
        const findPrice = (list: string) => data.find((one) => one.price_list === list && one.model === model);
        const currentPrice = findPrice(options.list ?? STANDARD_LIST);
        const prices = toPrices(options, currentPrice?.prices, model);
        const newPrice = await client.call('createPrice', { price_list: options.list, model, prices });
        const text = `Version ${newPrice.version} of ${newPrice.price_list}/${newPrice.model}: ${formatPrice(newPrice.prices)}\n`;
        printResult(options, newPrice, text + formatPreviousPrice(currentPrice, findPrice(STANDARD_LIST)));
      });
    });
}

/** If the price list had no price for the model, the standard price applied. */
function formatPreviousPrice(previous: PriceVersion | undefined, standard: PriceVersion | undefined): string {
  if (previous) return `Before: ${formatPrice(previous.prices)}\n`;
  return standard ? `Before: ${formatPrice(standard.prices)} (price list ${STANDARD_LIST})\n` : '';
}

const parseDollarsOrNone = (text: string): OptionValue<string> => ({ value: text === 'none' ? null : parseDollars(text) });

function addRate(text: string, previous: Rates = {}): Rates {
  const [, kind, dollars] = /^(\S+)=(\S+)$/.exec(text) ?? [];
  if (kind === undefined || dollars === undefined)
    throw new InvalidArgumentError("Enter a name and an amount, such as '1024x1024/high=0.167'.");
  return { ...previous, [kind]: parseDollarsOrNone(dollars).value };
}

function addLongContext(text: string, previous: LongContext = {}): LongContext {
  const [, above, prices] = /^(\d+):(.+)$/.exec(text) ?? [];
  if (above === undefined || prices === undefined)
    throw new InvalidArgumentError("Enter input tokens and prices, such as '272000:input=5,output=22.5'.");
  if (prices === 'none') return { ...previous, [above]: null };
  const rates = prices.split(',').reduce<Rates>((all, one) => addRate(one, all), {});
  return { ...previous, [above]: changeRates({}, rates) };
}

function toPrices(options: SetOptions, current: Prices = 'free', model: string): Prices {
  const { tool, serviceTier, longContext, image, free, list = STANDARD_LIST } = options;
  const rates = tokenRates.map((name) => options[rateNames[name]]);
  const hasTokenPrices = [...rates, tool, serviceTier, longContext].some((one) => one !== undefined);
  const kindCount = [hasTokenPrices, image, free].filter(Boolean).length;
  if (kindCount === 0)
    throw new CommandError('Specify what to change: --input, --cached-input, --cache-write, --output, --tool, --image, or --free.');
  if (kindCount > 1) throw new CommandError('Specify token prices, --image, or --free.');
  if (free) return 'free';
  const prices = image ? toImagePrices(image, current) : toTokenPrices(options, current);
  if (prices) return prices;
  const [kind, neededOptions] = image ? ['image', '--image with a default'] : ['token', '--input and --output'];
  throw new CommandError(`${model} has no ${kind} prices in price list ${list} yet. Specify ${neededOptions}.`);
}

function toImagePrices(changes: Rates, current: Prices): Prices | undefined {
  const currentImages = current !== 'free' && 'images' in current ? current.images : undefined;
  // The API ensures that the entry `default` stays.
  return currentImages || 'default' in changes ? { images: changeRates(currentImages, changes) } : undefined;
}

// `as`: the keys of an object are typed as strings.
const tokenRates = Object.keys(rateNames) as (keyof typeof rateNames)[];

function toTokenPrices({ tool, serviceTier, longContext, ...rateOptions }: SetOptions, current: Prices): Prices | undefined {
  const currentPrices = current !== 'free' && 'input' in current ? current : undefined;
  const [input, output] = [rateOptions.input ?? currentPrices?.input, rateOptions.output ?? currentPrices?.output];
  if (input === undefined || output === undefined) return undefined;
  const rates = tokenRates.flatMap((name) => {
    const rate = toRate(rateOptions[rateNames[name]], currentPrices?.[name]);
    return rate === undefined ? [] : [[name, rate] as const];
  });
  return {
    ...Object.fromEntries(rates),
    input,
    output,
    long_context: longContext ? changeLongContext(currentPrices?.long_context, longContext) : currentPrices?.long_context,
    service_tiers: serviceTier ? changeRates(currentPrices?.service_tiers, serviceTier) : currentPrices?.service_tiers,
    tools: tool ? changeRates(currentPrices?.tools, tool) : currentPrices?.tools,
  };
}

/** Returns undefined if the price has its default. */
function toRate(option: string | OptionValue<string> | undefined, currentRate: string | undefined): string | undefined {
  if (option === undefined) return currentRate;
  return typeof option === 'string' ? option : (option.value ?? undefined);
}

function changeLongContext(current: TokenPrices['long_context'] = {}, changes: LongContext): TokenPrices['long_context'] {
  const entries = Object.entries({ ...current, ...changes }).filter(([, rates]) => rates !== null);
  // The API checks that each entry has an input and an output price.
  return Object.fromEntries(entries) as TokenPrices['long_context'];
}

function changeRates(current: Readonly<Record<string, string>> = {}, changes: Rates): Record<string, string> {
  const entries = Object.entries({ ...current, ...changes }).filter((entry): entry is [string, string] => entry[1] !== null);
  return Object.fromEntries(entries);
}

/** Formats dollars per million tokens, per image, or per tool call. */
export function formatPrice(prices: Prices): string {
  if (prices === 'free') return 'free';
  if ('images' in prices) return formatRates(prices.images);
  const { tools = {}, long_context: long = {}, service_tiers: tiers = {}, ...rates } = prices;
  const above = Object.entries(long).map(([tokens, others]) => `above ${tokens} tokens: ${formatRates(others)}`);
  const factors = Object.entries(tiers).map(([tier, factor]) => `${tier} x${factor}`);
  return [formatRates({ ...rates, ...tools }), ...factors, ...above].join(', ');
}

export const formatRates = (rates: Readonly<Record<string, string | undefined>>): string =>
  Object.entries(rates)
    .flatMap(([name, rate]) => (rate === undefined ? [] : [`${name} ${rate}`]))
    .join(', ');
