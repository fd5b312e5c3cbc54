/** `modelgate group …`: lists the groups of accounts with their multiplier, limits, and models. */
import type { Command } from 'commander';
import { type AdminOptions, addAdminCommand, addCommandGroup, withAdmin } from './admin-command.ts';
import { formatLimit } from './limit-options.ts';
import { formatTable, printResult } from './print-result.ts';

export function addGroupCommands(program: Command): void {
  const group = addCommandGroup(program, 'group', 'list account groups');
  addAdminCommand(group, 'list', {
    description: 'list groups with their multiplier, limits, and models',
    examples: ['modelgate group list', 'modelgate group list --json'],
  }).action(async (options: AdminOptions) => {
    await withAdmin(options, async (client) => {
      const list = await client.call('listGroups', {});
      const rows = list.data.map(({ name, multiplier, limits, models }) => [
        name,
        multiplier,
        formatLimit(limits.requests_per_minute),
        formatLimit(limits.tokens_per_minute),
        formatLimit(limits.concurrency),
        models.join(', '),
      ]);
      printResult(options, list, formatTable(['GROUP', 'MULTIPLIER', 'REQUESTS/MIN', 'TOKENS/MIN', 'CONCURRENT', 'MODELS'], rows));
    });
  });
}
