/** `modelgate config check`: shows what would run with this configuration, or every problem in it. */
import type { Command } from 'commander';
import type { ConfigReload } from '../../contract/admin/configuration.ts';
import { type AdminOptions, addAdminCommand, describe, print, withAdmin } from './administration.ts';
import { describeConfig } from './config-text.ts';
import { EXIT_CODE_HELP } from './failure.ts';
import { LOCATION_HELP, type LocationOptions, readConfig, withConfigOption, withDataOption } from './location.ts';

export function addConfig(program: Command): void {
  const config = program.command('config').description('check or reload the configuration').addHelpText('after', EXIT_CODE_HELP);
  withDataOption(withConfigOption(config.command('check')))
    .description('read file and environment and print what would run, without secrets; start nothing')
    .addHelpText(
      'after',
      `\nExamples:\n  modelgate config check\n  modelgate config check --config /etc/modelgate/modelgate.yaml\n${LOCATION_HELP}\n${EXIT_CODE_HELP}`,
    )
    .action((options: LocationOptions) => {
      options.shell.stdout.write(describeConfig(readConfig(options)));
    });
  addReload(config);
}

function addReload(config: Command): void {
  addAdminCommand(config, 'reload', {
    description: 'make a running gateway read its file again, and print what changed; a file with a mistake changes nothing',
    examples: ['modelgate config check && modelgate config reload --url http://127.0.0.1:8081'],
  }).action(async (options: AdminOptions) => {
    await withAdmin(options, async (client) => {
      const reloaded = await client.call('reloadConfig', {});
      print(options, reloaded, describeReload(reloaded));
    });
  });
}

function describeReload({ added, removed, changed }: ConfigReload): string {
  if (added.length + removed.length + changed.length === 0) return 'The file has no changes. Nothing was reloaded.\n';
  const row = (name: string, names: readonly string[]) => [name, names.length === 0 ? null : names.join(', ')] as const;
  return `The configuration was reloaded.\n${describe([row('Added', added), row('Removed', removed), row('Changed', changed)])}`;
}
