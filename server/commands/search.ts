/** `modelgate search`: requests, keys, accounts and models by id or name. */
import type { Command } from 'commander';
import { type AdminOptions, addAdminCommand, print, withAdmin } from './administration.ts';
import { formatTable } from './table.ts';

export function addSearch(program: Command): void {
  addAdminCommand(program, 'search <text>', {
    description: 'find a request, key, account or model by its id or name; a key also by its last four characters',
    examples: ['modelgate search research', 'modelgate search req_01a20823c275fb8969eb8cd844614650 --json'],
  }).action(async (q: string, options: AdminOptions) => {
    await withAdmin(options, async (client) => {
      const list = await client.call('search', { query: { q } });
      const rows = list.data.map(({ kind, id, label }) => [kind, id, label]);
      print(options, list, rows.length === 0 ? 'Nothing was found.\n' : formatTable(['WHAT', 'ID', 'NAME'], rows));
    });
  });
}
