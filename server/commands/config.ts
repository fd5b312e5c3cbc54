/** `modelgate config …`: shows what runs and where it was set, checks a file, compares it with what runs, and reloads it. */
import { type Command, Option } from 'commander';
import type { ConfigCheck, ConfigReload, ConfigSettings } from '../../contract/admin/configuration.ts';
import type { Config } from '../config/config.ts';
import { differencesIn } from '../config/public-models/compare.ts';
import { readPublicModels } from '../config/public-models/read.ts';
import { type AdminOptions, addAdminCommand, describe, print, withAdmin } from './administration.ts';
import { addConfigImport } from './config-import.ts';
import { describeConfig } from './config-text.ts';
import { EXIT_CODE_HELP, ToldFailure } from './failure.ts';
import { LOCATION_HELP, type LocationOptions, readConfig, withConfigOption, withDataOption } from './location.ts';
import { formatTable } from './table.ts';

interface CheckOptions extends LocationOptions {
  readonly publicModels: boolean;
}

const URL_OPTION = '--url http://127.0.0.1:8081';

export function addConfig(program: Command): void {
  const config = program
    .command('config')
    .description('show, check, compare, reload or import the configuration')
    .addHelpText('after', EXIT_CODE_HELP);
  withDataOption(withConfigOption(config.command('check')))
    .description('read file and environment and print what would run, without secrets; start nothing')
    .addHelpText(
      'after',
      `\nExamples:\n  modelgate config check\n  modelgate config check --config /etc/modelgate/modelgate.yaml\n  modelgate config check --no-public-models\n${LOCATION_HELP}\n${EXIT_CODE_HELP}`,
    )
    .option('--no-public-models', 'do not compare models with the list prices and bounds that come with this program')
    .action((options: CheckOptions) => {
      const config = readConfig(options);
      options.shell.stdout.write(describeConfig(config));
      if (options.publicModels) options.shell.stderr.write(publicModelsText(config));
    });
  addConfigImport(config);
  addShow(config);
  addDiff(config);
  addReload(config);
}

interface ShowOptions extends AdminOptions {
  readonly under?: string;
  readonly source?: ConfigSettings['entries'][number]['source']['kind'];
}

/** Without --url the file itself is read, so that it works before the first start. */
/** Warnings, not errors: prices of a contract and margins are no mistake. */
function publicModelsText(config: Config): string {
  const catalog = readPublicModels();
  const lines = [...differencesIn(config, catalog)].map((line) => `  ${line}\n`);
  if (lines.length === 0) return '';
  return `Differs from the public list of ${catalog.date} (nothing is charged by it; --no-public-models leaves this out):\n${lines.join('')}`;
}

function addShow(config: Command): void {
  addAdminCommand(config, 'show', {
    description: 'list every key with its value and where it was set, without secrets; with --url of a running gateway',
    examples: [
      'modelgate config show',
      `modelgate config show --source file ${URL_OPTION}`,
      `modelgate config show --under server ${URL_OPTION}`,
    ],
  })
    .option('--under <key>', 'only this key and those below it, such as server or models.gpt-5.4')
    .addOption(new Option('--source <kind>', 'only values from there').choices(['file', 'environment', 'flag', 'default']))
    .action(async (options: ShowOptions) => {
      const query = { under: options.under, source: options.source };
      const show = (settings: ConfigSettings): void => print(options, settings, describeSettings(settings));
      if (options.url === undefined) {
        // Loaded here, so that other commands start without loading the server.
        const { writeSettings } = await import('../admin/configuration.ts');
        return show(writeSettings(readConfig(options), query));
      }
      await withAdmin(options, async (client) => show(await client.call('getConfig', { query })));
    });
}

function describeSettings({ entries, has_more }: ConfigSettings): string {
  const rows = entries.map(({ key, value, source }) => [key, value ?? '(secret, set)', sourceText(source)]);
  const more = has_more ? '\nThere are more keys. Show a part of them with --under.\n' : '';
  return `${formatTable(['KEY', 'VALUE', 'FROM'], rows)}${more}`;
}

function sourceText({ kind, file, line, name }: ConfigSettings['entries'][number]['source']): string {
  const place = file === null ? '' : `${file}:${line ?? 1}`;
  return [name, kind === 'default' ? kind : place].filter((part) => part !== null && part !== '').join(', ') || kind;
}

function addDiff(config: Command): void {
  addAdminCommand(config, 'diff', {
    description: 'compare the file of a running gateway with what it runs; change nothing',
    examples: [`modelgate config diff ${URL_OPTION}`, `modelgate config reload --digest <digest> ${URL_OPTION}`],
  }).action(async (options: AdminOptions) => {
    await withAdmin(options, async (client) => {
      const checked = await client.call('checkConfig', {});
      print(options, checked, describeCheck(checked));
      if (checked.problems.length > 0) throw new ToldFailure();
    });
  });
}

function describeCheck({ digest, added, removed, changed, needs_restart: restarts, problems }: ConfigCheck): string {
  if (problems.length > 0) return problems.map(({ where, key, message, hint }) => `${where}: ${key} ${message}. ${hint}\n`).join('');
  const sign = (mark: string, rows: ConfigCheck['added']) => rows.map((row) => `${mark} ${row.key}${valuesText(row)}\n`);
  const lines = [...sign('+', added), ...sign('-', removed), ...sign('~', changed)];
  const told = lines.length === 0 ? 'The file has no changes.\n' : lines.join('');
  const restart = restarts.length === 0 ? null : restarts.join(', ');
  return `${told}\n${describe([
    ['Needs a restart', restart],
    ['Digest', digest],
  ])}`;
}

function valuesText({ before, after, secret }: ConfigCheck['added'][number]): string {
  if (secret) return ': (secret)';
  if (before !== null && after !== null) return `: ${before} → ${after}`;
  return before === null && after === null ? '' : `: ${before ?? after}`;
}

interface ReloadOptions extends AdminOptions {
  readonly digest?: string;
}

function addReload(config: Command): void {
  addAdminCommand(config, 'reload', {
    description: 'make a running gateway read its file again, and print what changed; a file with a mistake changes nothing',
    examples: [`modelgate config check && modelgate config reload ${URL_OPTION}`],
  })
    .option('--digest <digest>', 'refuse a file that is not the one that config diff has shown')
    .action(async (options: ReloadOptions) => {
      await withAdmin(options, async (client) => {
        const { digest } = options;
        const reloaded = await client.call('reloadConfig', { body: { ...(digest !== undefined && { digest }) } });
        print(options, reloaded, describeReload(reloaded));
      });
    });
}

function describeReload({ added, removed, changed }: ConfigReload): string {
  if (added.length + removed.length + changed.length === 0) return 'The file has no changes. Nothing was reloaded.\n';
  const row = (name: string, names: readonly string[]) => [name, names.length === 0 ? null : names.join(', ')] as const;
  return `The configuration was reloaded.\n${describe([row('Added', added), row('Removed', removed), row('Changed', changed)])}`;
}
