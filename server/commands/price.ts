/** `modelgate price …`: what models cost. */
import type { Command } from 'commander';
import { type AdminOptions, addAdminCommand, addGroup, print, shortTime, withAdmin } from './administration.ts';
import { addSet } from './price-set.ts';
import { priceText } from './price-text.ts';
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
