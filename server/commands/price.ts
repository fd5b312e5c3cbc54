/** `modelgate price …`: what models cost. */
import { type Command, InvalidArgumentError } from 'commander';
import type { Prices } from '../../contract/admin/rules.ts';
import { type AdminOptions, addAdminCommand, addGroup, print, shortTime, withAdmin } from './administration.ts';
import { CommandError } from './failure.ts';
import { parseDollars } from './settings.ts';
import { formatTable } from './table.ts';

export function addPrice(program: Command): void {
  const price = addGroup(program, 'price', 'see and set what models cost');
  addList(price);
  addSet(price);
}

function addList(price: Command): void {
  addAdminCommand(price, 'list', {
    description: 'list what each model costs now, by price list',
    examples: ['modelgate price list', 'modelgate price list --json'],
  }).action(async (options: AdminOptions) => {
    await withAdmin(options, async (client) => {
      const list = await client.call('listPrices', {});
      const rows = list.data.map((one) => [
        one.price_list,
        one.model,
        one.version === null ? 'not yet' : String(one.version),
        one.source,
        one.created_at === null ? '-' : shortTime(one.created_at),
        priceText(one.prices),
      ]);
      print(options, list, formatTable(['LIST', 'MODEL', 'VERSION', 'SOURCE', 'SINCE', 'DOLLARS'], rows));
    });
  });
}

/** Per million tokens, per picture, or per call of a tool. */
export function priceText(prices: Prices): string {
  if (prices === 'free') return 'free';
  const { tools = {}, ...tokens } = 'images' in prices ? prices.images : prices;
  const rates = Object.entries({ ...tokens, ...(typeof tools === 'object' && tools) });
  return rates.map(([name, rate]) => `${name} ${rate}`).join(', ');
}

interface SetOptions extends AdminOptions {
  readonly list?: string;
  readonly input?: string;
  readonly cachedInput?: string;
  readonly cacheWrite?: string;
  readonly output?: string;
  readonly picture?: Readonly<Record<string, string>>;
  readonly tool?: Readonly<Record<string, string>>;
  readonly free?: boolean;
}

function addSet(price: Command): void {
  addAdminCommand(price, 'set <model>', {
    description: 'make a new version of a price; running requests are charged by the one they began with',
    examples: [
      'modelgate price set gpt-5.4 --input 1.25 --cached-input 0.125 --output 10',
      "modelgate price set gpt-image-2 --picture '*/low=0.016' --picture default=0.25",
      'modelgate price set gpt-5.4 --list wholesale --input 1 --output 8',
    ],
  })
    .option('--list <list>', 'price list (default: standard)')
    .option('--input <dollars>', 'per million input tokens', parseDollars)
    .option('--cached-input <dollars>', 'read from a cache; the price of input where left out', parseDollars)
    .option('--cache-write <dollars>', 'written to a cache; the price of input where left out', parseDollars)
    .option('--output <dollars>', 'per million output tokens, reasoning included', parseDollars)
    .option('--picture <kind=dollars>', 'per picture, by size/quality or default; once for each', addRate)
    .option('--tool <kind=dollars>', 'per call of a tool that the upstream runs, such as web_search_call=0.01; once for each', addRate)
    .option('--free', 'costs nothing')
    .action(async (model: string, options: SetOptions) => {
      const body = { price_list: options.list, model, prices: pricesFrom(options) };
      await withAdmin(options, async (client) => {
        const made = await client.call('createPrice', { body });
        print(options, made, `Version ${made.version} of ${made.price_list}/${made.model}: ${priceText(made.prices)}\n`);
      });
    });
}

function addRate(text: string, before: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const [, kind, dollars] = /^(\S+)=(\S+)$/.exec(text) ?? [];
  if (kind === undefined || dollars === undefined)
    throw new InvalidArgumentError("Write a kind and dollars, such as '1024x1024/high=0.167'.");
  return { ...before, [kind]: parseDollars(dollars) };
}

function pricesFrom({ free, picture, input, cachedInput, cacheWrite, output, tool }: SetOptions): Prices {
  const isByTokens = input !== undefined || output !== undefined || tool !== undefined;
  if (free && !picture && !isByTokens) return 'free';
  if (picture && !free && !isByTokens) return { images: { ...picture } };
  if (input !== undefined && output !== undefined && !free && !picture) {
    return { input, cached_input: cachedInput, cache_write: cacheWrite, output, tools: tool && { ...tool } };
  }
  throw new CommandError('Give --input and --output, or --picture with a default, or --free.');
}
