/** `modelgate price …`: what models cost. */
import type { Command } from 'commander';
import type { PriceVersion } from '../../contract/admin/rules.ts';
import { type AdminOptions, addAdminCommand, addGroup, callAll, print, shortTime, withAdmin } from './administration.ts';
import { addSet } from './price-set.ts';
import { priceText } from './price-text.ts';
import { formatTable } from './table.ts';

export function addPrice(program: Command): void {
  const price = addGroup(program, 'price', 'see and set what models cost');
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
    description: 'list all versions of prices, newest first',
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
    description: 'list what each model costs now, by price list',
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
