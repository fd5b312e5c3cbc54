/** `modelgate price set`: creates a new version of a price from the one in force; prices that are left out stay. */
import { type Command, InvalidArgumentError } from 'commander';
import type { Prices, PriceVersion } from '../../contract/admin/rules.ts';
import { type AdminOptions, addAdminCommand, print, withAdmin } from './administration.ts';
import { CommandError } from './failure.ts';
import { priceText } from './price-text.ts';
import { parseDollars, type Said } from './settings.ts';

/** By kind of image or tool; null removes the price. */
type Rates = Readonly<Record<string, string | null>>;

interface SetOptions extends AdminOptions {
  readonly list?: string;
  readonly input?: string;
  readonly cachedInput?: Said<string>;
  readonly cacheWrite?: Said<string>;
  readonly output?: string;
  readonly picture?: Rates;
  readonly tool?: Rates;
  readonly free?: boolean;
}

const STANDARD = 'standard';

export function addSet(price: Command): void {
  addAdminCommand(price, 'set <model>', {
    description:
      'create a new version of a price; prices that you leave out stay, and running requests keep the version that they began with',
    examples: [
      'modelgate price set gpt-5.4 --input 1.25 --cached-input 0.125 --output 10',
      "modelgate price set gpt-image-2 --picture '*/low=0.016' --picture default=0.25",
      'modelgate price set gpt-5.4 --list wholesale --input 1 --output 8',
    ],
  })
    .option('--list <list>', 'price list (default: standard)')
    .option('--input <dollars>', 'per million input tokens', parseDollars)
    .option('--cached-input <dollars>', 'read from a cache; none for the price of input', parseDollarsOrNone)
    .option('--cache-write <dollars>', 'written to a cache; none for the price of input', parseDollarsOrNone)
    .option('--output <dollars>', 'per million output tokens, reasoning included', parseDollars)
    .option('--picture <kind=dollars>', 'per image, by size/quality or default; once for each; none removes it', addRate)
    .option(
      '--tool <kind=dollars>',
      'per call of a tool that the upstream runs, such as web_search_call=0.01; once for each; none removes it',
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
  return standard ? `Before: ${priceText(standard.prices)} (of the list ${STANDARD})\n` : '';
}

const parseDollarsOrNone = (text: string): Said<string> => ({ value: text === 'none' ? null : parseDollars(text) });

function addRate(text: string, before: Rates = {}): Rates {
  const [, kind, dollars] = /^(\S+)=(\S+)$/.exec(text) ?? [];
  if (kind === undefined || dollars === undefined)
    throw new InvalidArgumentError("Write size/quality and dollars, such as '1024x1024/high=0.167'.");
  return { ...before, [kind]: parseDollarsOrNone(dollars).value };
}

function pricesFrom(options: SetOptions, before: Prices = 'free', model: string): Prices {
  const { input, cachedInput, cacheWrite, output, tool, picture, free, list = STANDARD } = options;
  const isByTokens = [input, cachedInput, cacheWrite, output, tool].some((one) => one !== undefined);
  const named = [isByTokens, picture, free].filter(Boolean).length;
  if (named === 0)
    throw new CommandError('Say what to change: --input, --cached-input, --cache-write, --output, --tool, --picture or --free.');
  if (named > 1) throw new CommandError('Give prices of tokens, or --picture, or --free.');
  if (free) return 'free';
  const prices = picture ? picturePrices(picture, before) : tokenPrices(options, before);
  if (prices) return prices;
  const [kind, needed] = picture ? ['pictures', '--picture with a default'] : ['tokens', '--input and --output'];
  throw new CommandError(`${model} has no prices of ${kind} on the list ${list} yet: give ${needed}.`);
}

function picturePrices(named: Rates, before: Prices): Prices | undefined {
  const kept = before !== 'free' && 'images' in before ? before.images : undefined;
  // The API ensures that the entry `default` stays.
  return kept || 'default' in named ? { images: changeRates(kept, named) } : undefined;
}

function tokenPrices({ cachedInput, cacheWrite, tool, ...named }: SetOptions, before: Prices): Prices | undefined {
  const kept = before !== 'free' && 'input' in before ? before : undefined;
  const [input, output] = [named.input ?? kept?.input, named.output ?? kept?.output];
  if (input === undefined || output === undefined) return undefined;
  return {
    input,
    cached_input: said(cachedInput, kept?.cached_input),
    cache_write: said(cacheWrite, kept?.cache_write),
    output,
    tools: tool ? changeRates(kept?.tools, tool) : kept?.tools,
  };
}

/** Undefined means the price of input. */
const said = (named: Said<string> | undefined, before: string | undefined): string | undefined =>
  named === undefined ? before : (named.value ?? undefined);

function changeRates(before: Readonly<Record<string, string>> = {}, named: Rates): Record<string, string> {
  const entries = Object.entries({ ...before, ...named }).filter((entry): entry is [string, string] => entry[1] !== null);
  return Object.fromEntries(entries);
}
