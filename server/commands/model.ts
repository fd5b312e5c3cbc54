/** `modelgate model …`: models of the configuration with their use, and suggestions for more. */
import type { Command } from 'commander';
import { type AdminOptions, addAdminCommand, addGroup, print, shortTime, withAdmin } from './administration.ts';
import { addModelSuggest } from './model-suggest.ts';
import { formatTable } from './table.ts';

export function addModels(program: Command): void {
  const model = addGroup(program, 'model', 'list the models that callers may use, and suggest entries for more').alias('models');
  addModelSuggest(model);
  addAdminCommand(model, 'list', {
    description: 'list models with their upstreams, groups and use in the last 30 days',
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
