/** `modelgate search`: finds a request, key, account, or model by its ID or name. */
import type { Command } from 'commander';
import { type AdminOptions, addAdminCommand, withAdmin } from './admin-command.ts';
import { formatTable, printResult } from './print-result.ts';

export function addSearchCommand(program: Command): void {
  addAdminCommand(program, 'search <text>', {
    description: 'find a request, key, account, or model by its ID or name; a key also by its last four characters',
    examples: ['modelgate search research', 'modelgate search req_01a20823c275fb8969eb8cd844614650 --json'],
  }).action(async (q: string, options: AdminOptions) => {
    await withAdmin(options, async (client) => {
      const list = await client.call('search', { query: { q } });
      const rows = list.data.map(({ kind, id, label }) => [kind, id, label]);
      printResult(options, list, rows.length === 0 ? 'No results.\n' : formatTable(['TYPE', 'ID', 'NAME'], rows));
    });
  });
}
