/** `modelgate config …`: shows the active configuration and its sources, checks a file, compares it with the active one, and reloads it. */

import { type Command, Option } from 'commander';
import type { ConfigCheck, ConfigReload, ConfigSettings } from '../../../contract/admin/configuration.ts';
import { findUnusedUpstreams } from '../../config/complete-models.ts';
import type { Config } from '../../config/config.ts';
import { findModelDifferences } from '../../config/model-differences.ts';
import { readPublicModels } from '../../config/public-models.ts';
import { type AdminOptions, addAdminCommand, withAdmin } from './admin-command.ts';
import { commandSummaries } from './command-summaries.ts';
import { addConfigImportCommands } from './config-import.ts';
import { describeConfig } from './describe-config.ts';
import { EXIT_CODE_HELP } from './exit-codes.ts';
import { addConfigOption, addDataOption, LOCATION_HELP, type LocationOptions, readConfig } from './location-options.ts';
import { formatRows, formatTable, printResult } from './print-result.ts';
import { addRequestCommand } from './request-command.ts';

const URL_OPTION = '--url http://127.0.0.1:8081';

export function addConfigCommands(program: Command): void {
  const config = program.command('config').description(commandSummaries.config).addHelpText('after', EXIT_CODE_HELP);
  addDataOption(addConfigOption(config.command('check')))
    .description("validate the file and environment and print the resulting configuration, without secrets; doesn't start the gateway")
    .addHelpText(
      'after',
      `\nExamples:\n  modelgate config check\n  modelgate config check --config /etc/modelgate/modelgate.yaml\n  modelgate config check --no-public-models\n${LOCATION_HELP}\n${EXIT_CODE_HELP}`,
    )
    .option('--no-public-models', "don't compare models with the bundled list of public prices and limits")
    .action((options: LocationOptions & { publicModels: boolean }) => {
      const config = readConfig(options);
      options.shell.stdout.write(describeConfig(config));
      for (const name of findUnusedUpstreams(config)) options.shell.stderr.write(`${formatUnusedUpstream(name)}\n`);
      if (options.publicModels) options.shell.stderr.write(formatPublicModels(config));
    });
  addConfigImportCommands(config);
  addShowCommand(config);
  addDiffCommand(config);
  addReloadCommand(config);
}

const formatUnusedUpstream = (name: string): string =>
  `Upstream '${name}' serves no model. To list its models, run modelgate model suggest --upstream ${name}.`;

/** Differences are warnings, not errors, because contract prices and margins are legitimate. */
function formatPublicModels(config: Config): string {
  const catalog = readPublicModels();
  const lines = [...findModelDifferences(config, catalog)].map((line) => `  ${line}\n`);
  if (lines.length === 0) return '';
  return `Differs from the public price list of ${catalog.date} (for information only; --no-public-models hides this):\n${lines.join('')}`;
}

/** Without --url, reads the file itself, so that the command works before the first start. */
function addShowCommand(config: Command): void {
  addAdminCommand(config, 'show', {
    description: 'list every key with its value and source, without secrets; requires --url of a running gateway',
    examples: [
      'modelgate config show',
      `modelgate config show --source file ${URL_OPTION}`,
      `modelgate config show --under server ${URL_OPTION}`,
    ],
  })
    .option('--under <key>', 'only this key and its children, such as server or models.gpt-5.4')
    .addOption(new Option('--source <kind>', 'only values from this source').choices(['file', 'environment', 'flag', 'default']))
    .action(async (options: AdminOptions & { under?: string; source?: ConfigSettings['entries'][number]['source']['kind'] }) => {
      const query = { under: options.under, source: options.source };
      const show = (settings: ConfigSettings): void => printResult(options, settings, describeSettings(settings));
      if (options.url === undefined) {
        // Loaded here, so that other commands start without loading the server.
        const { writeSettings } = await import('../../api/admin/configuration.ts');
        return show(writeSettings(readConfig(options), query));
      }
      await withAdmin(options, async (client) => show(await client.call('getConfig', query)));
    });
}

function describeSettings({ entries, has_more }: ConfigSettings): string {
  const rows = entries.map(({ key, value, source }) => [key, value ?? '(secret, set)', formatSource(source)]);
  const truncationHint = has_more ? '\nThe list is truncated. Show a part with --under.\n' : '';
  return `${formatTable(['KEY', 'VALUE', 'FROM'], rows)}${truncationHint}`;
}

function formatSource({ kind, file, line, name }: ConfigSettings['entries'][number]['source']): string {
  const location = file === null ? '' : `${file}:${line ?? 1}`;
  return [name, kind === 'default' ? kind : location].filter((part) => part !== null && part !== '').join(', ') || kind;
}

function addDiffCommand(config: Command): void {
  addRequestCommand(config, 'diff', {
    description: 'compare the file of a running gateway with its active configuration; changes nothing',
    examples: [`modelgate config diff ${URL_OPTION}`, `modelgate config reload --digest <digest> ${URL_OPTION}`],
    operation: 'checkConfig',
    print: describeCheck,
    isFailed: ({ problems }) => problems.length > 0,
  });
}

function describeCheck({ digest, added, removed, changed, needs_restart: restarts, problems }: ConfigCheck): string {
  if (problems.length > 0) return problems.map(({ where, key, message, hint }) => `${where}: ${key} ${message}. ${hint}\n`).join('');
  const formatChanges = (mark: string, rows: ConfigCheck['added']) => rows.map((row) => `${mark} ${row.key}${formatValues(row)}\n`);
  const lines = [...formatChanges('+', added), ...formatChanges('-', removed), ...formatChanges('~', changed)];
  const text = lines.length === 0 ? 'The file has no changes.\n' : lines.join('');
  const restartKeys = restarts.length === 0 ? null : restarts.join(', ');
  return `${text}\n${formatRows([
    ['Needs a restart', restartKeys],
    ['Digest', digest],
  ])}`;
}

function formatValues({ before, after, secret }: ConfigCheck['added'][number]): string {
  if (secret) return ': (secret)';
  if (before !== null && after !== null) return `: ${before} → ${after}`;
  return before === null && after === null ? '' : `: ${before ?? after}`;
}

function addReloadCommand(config: Command): void {
  addRequestCommand(config, 'reload', {
    description: 'make a running gateway reload its file, and print the changes; an invalid file changes nothing',
    examples: [`modelgate config check && modelgate config reload ${URL_OPTION}`],
    operation: 'reloadConfig',
    options: { digest: ['--digest <digest>', "reject the file unless it's the one that config diff showed"] },
    print: describeReload,
  });
}

function describeReload({ added, removed, changed }: ConfigReload): string {
  if (added.length + removed.length + changed.length === 0) return 'The file has no changes. Nothing was reloaded.\n';
  const toNamesRow = (name: string, names: readonly string[]) => [name, names.length === 0 ? null : names.join(', ')] as const;
  return `The configuration was reloaded.\n${formatRows([toNamesRow('Added', added), toNamesRow('Removed', removed), toNamesRow('Changed', changed)])}`;
}
