/** `modelgate group list`: groups of the configuration. */
import type { Command } from 'commander';
import { type AdminOptions, addAdminCommand, addGroup, print, withAdmin } from './administration.ts';
import { limitText } from './settings.ts';
import { formatTable } from './table.ts';

export function addGroups(program: Command): void {
  const group = addGroup(program, 'group', 'list the groups of accounts');
  addAdminCommand(group, 'list', {
    description: 'list groups with their multiplier, limits and models',
    examples: ['modelgate group list', 'modelgate group list --json'],
  }).action(async (options: AdminOptions) => {
    await withAdmin(options, async (client) => {
      const list = await client.call('listGroups', {});
      const rows = list.data.map(({ name, multiplier, limits, models }) => [
        name,
        multiplier,
        limitText(limits.requests_per_minute),
        limitText(limits.tokens_per_minute),
        limitText(limits.concurrency),
        models.join(', '),
      ]);
      print(options, list, formatTable(['GROUP', 'MULTIPLIER', 'REQUESTS/MIN', 'TOKENS/MIN', 'AT ONCE', 'MODELS'], rows));
    });
  });
}
