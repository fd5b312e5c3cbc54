/** `modelgate config …`: shows what runs and where it was set, checks a file, compares it with what runs, and reloads it. */

import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { ConfigCheck, ConfigReload, ConfigSettings } from '../../contract/admin/configuration.ts';
import { type Config, limitCounter, type UpstreamConfig } from '../config/config.ts';
import { type Importer, importText, writeImported } from '../config/import/litellm.ts';
import { differencesIn, readPublicModels } from '../config/public-models.ts';
import {
  type AdminOptions,
  addAdminCommand,
  describe,
  formatTable,
  LOCATION_HELP,
  type LocationOptions,
  print,
  readConfig,
  withAdmin,
  withConfigOption,
  withDataOption,
} from './administration.ts';
import { CommandError, EXIT_CODE_HELP, ReportedError, type ShellOptions } from './serving.ts';

interface CheckOptions extends LocationOptions {
  readonly publicModels: boolean;
}

const URL_OPTION = '--url http://127.0.0.1:8081';

export function addConfig(program: Command): void {
  const config = program
    .command('config')
    .description('show, check, compare, reload, or import the configuration')
    .addHelpText('after', EXIT_CODE_HELP);
  withDataOption(withConfigOption(config.command('check')))
    .description('validate the file and environment and print the resulting configuration, without secrets; starts nothing')
    .addHelpText(
      'after',
      `\nExamples:\n  modelgate config check\n  modelgate config check --config /etc/modelgate/modelgate.yaml\n  modelgate config check --no-public-models\n${LOCATION_HELP}\n${EXIT_CODE_HELP}`,
    )
    .option('--no-public-models', "don't compare models with the bundled list of public prices and limits")
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
  return `Differs from the public price list of ${catalog.date} (for information only; --no-public-models hides this):\n${lines.join('')}`;
}

function addShow(config: Command): void {
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
  const more = has_more ? '\nThe list is truncated. Show a part with --under.\n' : '';
  return `${formatTable(['KEY', 'VALUE', 'FROM'], rows)}${more}`;
}

function sourceText({ kind, file, line, name }: ConfigSettings['entries'][number]['source']): string {
  const place = file === null ? '' : `${file}:${line ?? 1}`;
  return [name, kind === 'default' ? kind : place].filter((part) => part !== null && part !== '').join(', ') || kind;
}

function addDiff(config: Command): void {
  addAdminCommand(config, 'diff', {
    description: 'compare the file of a running gateway with its active configuration; changes nothing',
    examples: [`modelgate config diff ${URL_OPTION}`, `modelgate config reload --digest <digest> ${URL_OPTION}`],
  }).action(async (options: AdminOptions) => {
    await withAdmin(options, async (client) => {
      const checked = await client.call('checkConfig', {});
      print(options, checked, describeCheck(checked));
      if (checked.problems.length > 0) throw new ReportedError();
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
    description: 'make a running gateway reload its file, and print what changed; an invalid file changes nothing',
    examples: [`modelgate config check && modelgate config reload ${URL_OPTION}`],
  })
    .option('--digest <digest>', "reject the file unless it's the one that config diff showed")
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

function describeConfig(config: Config): string {
  const { upstreams, models, plans, priceLists, groups } = config;
  const lists = Object.entries(priceLists).flatMap(([list, byModel]) =>
    Object.entries(byModel).map(([model, prices]) => [list, model, priceText(prices)]),
  );
  const sold = Object.entries(plans).map(([name, plan]) => [name, plan.included, plan.period, plan.onExhaustion, plan.priceList]);
  const tables: readonly (readonly [string[], string[][]])[] = [
    [
      ['UPSTREAM', 'KIND', 'ADDRESS', 'KEY', 'PROTOCOLS'],
      Object.values(upstreams).map((upstream) => [upstream.name, upstream.kind, ...describeUpstream(upstream)]),
    ],
    [['MODEL', 'KIND', 'SERVED BY', 'PROTOCOLS'], models.flatMap(servedRows)],
    [
      ['MODEL', 'FOR GROUPS', 'DOLLARS', 'LIMITS'],
      models.map(({ id, groups: own, prices, limits }) => [id, own.join(', '), priceText(prices), limitsText(limits)]),
    ],
    [
      ['GROUP', 'MULTIPLIER', 'LIMITS FOR ALL ACCOUNTS TOGETHER'],
      Object.entries(groups).map(([name, { multiplier, limits }]) => [name, multiplier, limitsText(limits)]),
    ],
    [['PLAN', 'INCLUDED', 'PERIOD', 'THEN', 'PRICE LIST'], sold],
    [['PRICE LIST', 'MODEL', 'DOLLARS'], lists],
  ];
  const filled = tables.flatMap(([headings, rows]) => (rows.length === 0 ? [] : [formatTable(headings, rows)]));
  return [`The configuration is valid.\n${describe(settingsOf(config))}`, ...filled].join('\n');
}

function settingsOf(config: Config): [string, string][] {
  const { server, admin, metrics, database, redis, durability, log, development, billing, limits } = config;
  return [
    ['Configuration', config.file ?? 'environment and defaults; no file'],
    ['Listens on', listenerText(server)],
    ['Admin API', admin.enabled ? listenerText(admin) : 'off'],
    ['Metrics', metrics.enabled ? listenerText(metrics) : 'off'],
    ['Data', `${config.data} (${durability})`],
    ['Accounts', database.url === undefined ? 'in the data folder' : `on PostgreSQL${hostText(database.url)}`],
    ['Limits', redis.url === undefined ? `counted in ${limitCounter(server)}` : `counted in Redis${hostText(redis.url)}`],
    ['Each key', limitsText(limits.perKey)],
    ['Each account', limitsText(limits.perAccount)],
    ['Billing', billing],
    ['Log', `${log.level}${development ? '; development: responses are checked against the contract' : ''}`],
  ];
}

const listenerText = ({ host, port }: { readonly host: string; readonly port: number }): string =>
  `${host}, port ${port === 0 ? 'any free' : port}`;

/** The host only. An unencoded slash in a password would put parts of the password before and after the host. */
function hostText(url: string): string {
  if (!URL.canParse(url)) return '';
  const { host, pathname, search, hash } = new URL(url);
  return host === '' || `${pathname}${search}${hash}`.includes('@') ? '' : ` at ${host}`;
}

function describeUpstream(upstream: UpstreamConfig): [string, string, string] {
  const served = upstream.protocols.join(', ');
  if (upstream.kind === 'simulator') return ['built in, without a real model', 'none', served];
  return [upstream.baseUrl, credentialText(upstream), served];
}

/** How it authenticates, never with what. */
function credentialText({ auth, apiKey, apiKeys }: Exclude<UpstreamConfig, { kind: 'simulator' }>): string {
  if (apiKey !== undefined || apiKeys !== undefined) return 'set';
  return auth?.type ?? 'none';
}

type Model = Config['models'][number];

/** The first candidate, and below it the others. */
function servedRows({ id, kind, candidates }: Model): string[][] {
  const isAlone = candidates.length === 1;
  return candidates.map(({ upstream, upstreamModel, protocols, priority, weight }, index) => [
    ...(index === 0 ? [id, kind] : ['', '']),
    `${upstream}: ${upstreamModel}${isAlone ? '' : ` (priority ${priority}, weight ${weight})`}`,
    protocols.join(', '),
  ]);
}

/** Per million tokens, per image, or per call of a tool. */
function priceText(prices: Model['prices']): string {
  if (prices === undefined) return '-';
  if (prices === 'free') return prices;
  if ('images' in prices) return ratesText(prices.images);
  const { tools = {}, ...tokens } = prices;
  return ratesText({ ...tokens, ...tools });
}

const ratesText = (rates: Readonly<Record<string, string | undefined>>): string =>
  Object.entries(rates)
    .flatMap(([name, rate]) => (rate === undefined ? [] : [`${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)} ${rate}`]))
    .join(', ');

function limitsText({ requestsPerMinute, tokensPerMinute, concurrency }: Model['limits']): string {
  const said = [
    limitText(requestsPerMinute, 'requests per minute'),
    limitText(tokensPerMinute, 'tokens per minute'),
    limitText(concurrency, 'at once'),
  ];
  return said.filter((one) => one !== undefined).join(', ') || 'none';
}

function limitText(limit: Model['limits']['concurrency'], words: string): string | undefined {
  const { limit: most, mode = 'enforce' } = typeof limit === 'object' ? limit : { limit };
  if (most === undefined || mode === 'off') return undefined;
  return `${most} ${words}${mode === 'observe' ? ' (observed only)' : ''}`;
}

interface ImportOptions extends ShellOptions {
  readonly output?: string;
  readonly options?: string;
}

function addConfigImport(config: Command): void {
  const group = config.command('import').description("convert another gateway's configuration to modelgate.yaml");
  group
    .command('litellm <file>')
    .description("convert LiteLLM's config.yaml; settings without an equivalent are listed on stderr")
    .option('-o, --output <file>', 'write to this new file (default: stdout)')
    .addHelpText(
      'after',
      `\nExamples:\n  modelgate config import litellm config.yaml --output modelgate.yaml\n  modelgate config import litellm config.yaml > modelgate.yaml\n${EXIT_CODE_HELP}`,
    )
    .action((file: string, options: ImportOptions) => run('litellm', file, options));
  group
    .command('new-api <file>')
    .description("convert new-api's channels, as its API lists them; settings without an equivalent are listed on stderr")
    .option(
      '-r, --options <file>',
      "file with new-api's options, such as ModelRatio and CompletionRatio, as its API lists them (default: in the same file)",
    )
    .option('-o, --output <file>', 'write to this new file (default: stdout)')
    .addHelpText(
      'after',
      `\nExamples:\n  modelgate config import new-api channels.json --options options.json --output modelgate.yaml\n${EXIT_CODE_HELP}`,
    )
    .action((file: string, options: ImportOptions) => run('new-api', file, options));
}

function run(from: Importer, file: string, given: ImportOptions): void {
  const { shell, options } = given;
  const texts = [file, ...(options === undefined ? [] : [options])].map((name) => read(name, given));
  const imported = parsed(from, texts, file);
  write(writeImported(imported, from), given);
  for (const { where, message } of imported.remarks) shell.stderr.write(`${where}: ${message}\n`);
}

function read(file: string, { shell }: ImportOptions): string {
  try {
    return readFileSync(resolve(shell.folder, file), 'utf8');
  } catch (error) {
    throw new CommandError(`${file} can't be read: ${codeOf(error)}.`);
  }
}

function parsed(from: Importer, [text = '', options]: readonly string[], file: string) {
  try {
    return importText(from, text, options);
  } catch (error) {
    if (error instanceof SyntaxError) throw new CommandError(`${file} is neither YAML nor JSON: ${error.message}`);
    throw error;
  }
}

function write(text: string, { output, shell }: ImportOptions): void {
  if (output === undefined) return void shell.stdout.write(text);
  try {
    writeFileSync(resolve(shell.folder, output), text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    throw new CommandError(
      codeOf(error) === 'EEXIST'
        ? `${output} already exists and won't be overwritten. Specify another file.`
        : `${output} can't be written: ${codeOf(error)}.`,
    );
  }
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : 'unknown');
