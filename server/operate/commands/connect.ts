/** `modelgate connect`: sets up a tool for this or another gateway, shows what it changes, tests it, and undoes it. */
import { homedir } from 'node:os';
import { type Command, InvalidArgumentError } from 'commander';
import type { PreviousConnection } from '../../../client/connect/backups.ts';
import type { GatewayCall } from '../../../client/connect/gateway-calls.ts';
import type { KeyModels } from '../../../client/connect/key-models.ts';
import type { Change, HostEnvironment } from '../../../client/connect/plan-changes.ts';
import { type Connection, KEY_VARIABLE, listSteps, type Recipe } from '../../../client/connect/recipes/recipe.ts';
import { recipes } from '../../../client/connect/recipes/tools.ts';
import type { TestResult } from '../../../client/connect/run-tool.ts';
import { toOrigin, withAdmin } from './admin-command.ts';
import { PROGRAM } from './banner.ts';
import { CommandError, ReportedError } from './command-error.ts';
import { commandSummaries } from './command-summaries.ts';
import { addConfigOption, addDataOption, formatDataOption, getDataFolder, type LocationOptions, readConfig } from './location-options.ts';
import { formatTable } from './print-result.ts';
import type { Shell } from './shell.ts';

interface ConnectOptions extends LocationOptions {
  readonly baseUrl?: string;
  readonly key?: string;
  readonly model?: string;
  readonly keyFromEnv?: boolean;
  readonly dryRun?: boolean;
  readonly test?: boolean;
  readonly undo?: boolean;
}

export function addConnectCommand(program: Command): void {
  addDataOption(addConfigOption(program.command('connect')))
    .argument('[tool]', 'tool to set up; omit it for a list', parseTool)
    .description(commandSummaries.connect)
    .option(
      '--base-url <url>',
      'base URL of the gateway (default: MODELGATE_BASE_URL, then the previous connection, then the gateway of the data folder)',
      parseNonEmpty,
    )
    .option('--key <key>', "key for the tool (default: MODELGATE_API_KEY, then the key in the tool's file, then a new key)", parseNonEmpty)
    .option('--model <id>', 'default model of the tool (default: the previous one, then the first that supports tools)')
    .option('--key-from-env', 'let the tool read the key from MODELGATE_API_KEY, instead of writing it to a file')
    .option('--dry-run', 'only show what would change')
    .option('--test', "also run the tool once, or make equivalent calls if it isn't installed")
    .option('--undo', "restore the tool's original files")
    .addHelpText(
      'after',
      `
It creates a key only on the gateway's machine. Only you can read the files that it writes.
You pay for the calls of --test.

Examples:
  modelgate connect
  modelgate connect codex --test
  modelgate connect opencode --base-url https://gateway.example/v1 --key mg-… --model gpt-5.4
  modelgate connect codex --undo
  eval "$(modelgate connect env)"

Environment:
  MODELGATE_BASE_URL  same as --base-url
  MODELGATE_API_KEY   same as --key
  MODELGATE_CONFIG    same as --config
  MODELGATE_DATA      same as --data

Exit codes:
  0  done
  1  failed, or the test found a problem; the reason is on stderr
  2  invalid command or option`,
    )
    .action((recipe: Recipe | undefined, options: ConnectOptions) => connect(recipe, options));
}

function parseTool(id: string): Recipe {
  const recipe = recipes.find((one) => one.id === id.toLowerCase());
  if (recipe) return recipe;
  throw new InvalidArgumentError(`Enter one of ${recipes.map((one) => one.id).join(', ')}.`);
}

/** Rejects an empty value, which comes from a variable that isn't set. The default instead could send the key elsewhere. */
function parseNonEmpty(value: string): string {
  if (value.trim() !== '') return value;
  throw new InvalidArgumentError('Enter a value, or omit the option to use its default.');
}

async function connect(recipe: Recipe | undefined, options: ConnectOptions): Promise<void> {
  const { shell, dryRun, test: shouldTest, undo: shouldUndo, key, model } = options;
  if (!recipe) {
    if (dryRun || shouldTest || shouldUndo || key || model) {
      throw new InvalidArgumentError('Specify a tool, for example: modelgate connect codex --undo');
    }
    shell.stdout.write(formatToolList());
    return;
  }
  const { ConnectError } = await import('../../../client/connect/gateway-calls.ts');
  const { hideSecrets } = await import('../../../client/connect/plan-changes.ts');
  const { UnreadableFileError } = await import('../../../client/connect/edit-document.ts');
  try {
    await (shouldUndo ? undoConnect(recipe, shell) : connectTool(recipe, options));
  } catch (error) {
    if (error instanceof ConnectError || error instanceof UnreadableFileError) throw new CommandError(hideSecrets(error.message));
    if (isFileError(error)) throw new CommandError(`Can't write the files of ${recipe.name}: ${error.message}.`);
    throw error;
  }
}

/** Whether the system reported the error, for example because a folder isn't writable. */
const isFileError = (error: unknown): error is Error => error instanceof Error && 'syscall' in error && 'path' in error;

const formatToolList = (): string => {
  const rows = recipes.map(({ id, name, protocol, start }) => [id, name, protocol, start]);
  return `${formatTable(['TOOL', 'NAME', 'PROTOCOL', 'START IT WITH'], rows)}\nSet one up: ${PROGRAM} connect <tool>\n`;
};

const toHostEnvironment = ({ env, folder }: Shell): HostEnvironment => ({
  env,
  home: env.HOME || homedir(),
  // npm runs a script in the folder of its package. INIT_CWD is the user's folder.
  workingFolder: env.INIT_CWD || folder,
  platform: process.platform,
});

async function undoConnect(recipe: Recipe, shell: Shell): Promise<void> {
  const { Backups } = await import('../../../client/connect/backups.ts');
  const { formatPath } = await import('../../../client/connect/plan-changes.ts');
  const host = toHostEnvironment(shell);
  const backups = new Backups(recipe.id, host);
  const createdKey = backups.findEarlier()?.createdKey ?? null;
  const result = backups.undo();
  if (result === null) throw new CommandError(`Nothing to undo for ${recipe.id}.`);
  const printPaths = (verb: string, paths: readonly string[]): void => {
    for (const path of paths) shell.stdout.write(`${verb} ${formatPath(path, host)}\n`);
  };
  printPaths('Restored', result.restored);
  printPaths('Deleted', result.deleted);
  printPaths('The file was changed after it was written. The changed version is in', result.kept);
  if (createdKey !== null) shell.stdout.write(`Key ${createdKey} is still active. Revoke it: ${PROGRAM} key revoke ${createdKey}\n`);
}

async function connectTool(recipe: Recipe, options: ConnectOptions): Promise<void> {
  const { shell } = options;
  const { chooseModel, fetchModels } = await import('../../../client/connect/key-models.ts');
  const { findOverrides } = await import('../../../client/connect/find-overrides.ts');
  const { openGatewayCalls } = await import('../../../client/connect/gateway-calls.ts');
  const { Backups } = await import('../../../client/connect/backups.ts');
  const previousConnection = new Backups(recipe.id, toHostEnvironment(shell)).findEarlier();
  const keyFromEnv = options.keyFromEnv ?? (options.key === undefined && previousConnection?.keyFromEnv === true);
  if (keyFromEnv && recipe.keyFrom === 'file') {
    throw new CommandError(`${recipe.name} can't read the key from a variable. Omit --key-from-env.`);
  }
  const { baseUrl, key, source, createdKey } = await findTarget(recipe, previousConnection, { ...options, keyFromEnv });
  const call = openGatewayCalls({ baseUrl, key, env: shell.env });
  const keyModels = await fetchModels(call, source);
  const connection: Connection = {
    ...keyModels,
    baseUrl,
    key: keyFromEnv ? null : key,
    ...(previousConnection && previousConnection.baseUrl !== baseUrl && { formerBaseUrl: previousConnection.baseUrl }),
    model: chooseModel(keyModels, options.model ?? findPreviousModel(previousConnection, keyModels)),
  };
  const warnings = findOverrides(recipe, shell.env);
  const newConnection = {
    baseUrl,
    model: connection.model.id,
    keyFromEnv,
    createdKey: createdKey ?? previousConnection?.createdKey ?? null,
  };
  if (recipe.lines) shell.stdout.write(recipe.lines(connection));
  else await writeFiles({ recipe, connection, now: newConnection, isNewKey: createdKey !== null }, options);
  for (const warning of warnings) shell.stderr.write(`Warning: ${warning}\n`);
  if (!options.test || options.dryRun) return;
  if (keyModels.simulated.includes(connection.model.id)) {
    throw new CommandError(
      `Not tested: the built-in simulator responds for ${connection.model.id}, and it does no tasks. Add an upstream, then run this again with --test.`,
    );
  }
  await testTool({ recipe, connection, key, call }, shell);
  if (warnings.length > 0) shell.stderr.write('Unset the variables of the warnings, so that the tool uses its file.\n');
}

/** Returns the model of the earlier connection, if the key can still call it. */
const findPreviousModel = (previousConnection: PreviousConnection | null, { models }: KeyModels): string | undefined =>
  models.find(({ id }) => id === previousConnection?.model)?.id;

interface ConnectTarget {
  readonly baseUrl: string;
  readonly key: string;
  /** Where the key comes from, for messages. */
  readonly source: string;
  /** ID of the key if it was just created, otherwise null. */
  readonly createdKey: string | null;
}

/** Uses the options, the environment, the earlier connection, or the gateway of the data folder, which then creates a key. */
async function findTarget(recipe: Recipe, previousConnection: PreviousConnection | null, options: ConnectOptions): Promise<ConnectTarget> {
  const { env, stderr } = options.shell;
  const { toBaseUrl } = await import('../../../client/connect/gateway-calls.ts');
  const requestedUrl = options.baseUrl || env.MODELGATE_BASE_URL || previousConnection?.baseUrl;
  const baseUrl = toBaseUrl(requestedUrl || getServerOrigin(options));
  if (requestedUrl && baseUrl !== requestedUrl) stderr.write(`Using base URL ${baseUrl}\n`);
  const existingKey = await findKey(recipe, baseUrl, options);
  if (existingKey) {
    const key = existingKey.key.trim();
    if (!/^[\x21-\x7e]+$/.test(key)) throw new CommandError(`The key from ${existingKey.source} contains a space or an invalid character.`);
    return { baseUrl, key, source: existingKey.source, createdKey: null };
  }
  const hint = 'Specify a key with --key or MODELGATE_API_KEY.';
  // In these cases, a created key would never be shown, or each run would create another.
  if (options.dryRun) throw new CommandError(`A dry run doesn't create a key. ${hint}`);
  if (requestedUrl || options.keyFromEnv || recipe.lines) throw new CommandError(hint);
  const newKey = await createKey(recipe.id, baseUrl, options);
  return { baseUrl, key: newKey.key, source: 'the gateway', createdKey: newKey.id };
}

async function findKey(recipe: Recipe, baseUrl: string, { key, shell }: ConnectOptions): Promise<{ key: string; source: string } | null> {
  if (key) return { key, source: '--key' };
  if (shell.env.MODELGATE_API_KEY) return { key: shell.env.MODELGATE_API_KEY, source: 'MODELGATE_API_KEY' };
  const { readExistingFiles } = await import('../../../client/connect/plan-changes.ts');
  const text = readExistingFiles(recipe, toHostEnvironment(shell)).join('\n');
  const fileKey = text.includes(baseUrl) ? /\bmg-[0-9A-Za-z]{20,}\b/.exec(text)?.[0] : undefined;
  return fileKey === undefined ? null : { key: fileKey, source: `the file of ${recipe.name}` };
}

function getServerOrigin(options: ConnectOptions): string {
  return toOrigin(readConfig(options).server);
}

async function createKey(name: string, baseUrl: string, options: ConnectOptions): Promise<{ readonly key: string; readonly id: string }> {
  const { shell } = options;
  const { ConnectError, openGatewayCalls } = await import('../../../client/connect/gateway-calls.ts');
  const newKey = { key: '', id: '' };
  await withAdmin(options, async (client) => {
    // Checks first that the gateway responds, because a key for a stopped gateway or a wrong URL is useless. The check needs no valid key.
    await openGatewayCalls({ baseUrl, key: 'none', env: shell.env })('/models').catch((error: unknown) => {
      throw error instanceof ConnectError
        ? new CommandError(`${error.message} If it has another address, specify it with --base-url.`)
        : error;
    });
    Object.assign(newKey, await client.call('createKey', { account: 'default', name }));
  });
  shell.stderr.write(
    `Created key ${newKey.id} "${name}". Revoke it: ${PROGRAM} key revoke ${newKey.id}${formatDataOption(getDataFolder(options), shell.folder)}\n`,
  );
  return newKey;
}

interface WriteOptions {
  readonly recipe: Recipe;
  readonly connection: Connection;
  readonly now: PreviousConnection;
  /** Whether the key was just created, so that it hasn't been shown yet. */
  readonly isNewKey: boolean;
}

async function writeFiles({ recipe, connection, now, isNewKey }: WriteOptions, { shell, dryRun = false }: ConnectOptions): Promise<void> {
  const { Backups } = await import('../../../client/connect/backups.ts');
  const { formatDiff, formatPath, hideKeys, isChange, planChanges } = await import('../../../client/connect/plan-changes.ts');
  const { findUrlsWithoutVersion } = await import('../../../client/connect/find-overrides.ts');
  const host = toHostEnvironment(shell);
  const plannedChanges = planChanges(recipe.files(connection), host);
  for (const { shownPath: path, bypasses } of plannedChanges) {
    for (const name of bypasses) {
      shell.stderr.write(`Warning: '${name}' in ${path} can send calls to another provider. Remove it to use only the gateway.\n`);
    }
  }
  const changes = plannedChanges.filter(isChange);
  for (const change of changes) {
    for (const url of findUrlsWithoutVersion(change.before?.toString() ?? '', connection.baseUrl)) {
      const isRemaining = findUrlsWithoutVersion(change.after.toString(), connection.baseUrl).includes(url);
      const resolution = isRemaining ? 'It belongs to another entry: correct it yourself.' : 'Corrected.';
      shell.stderr.write(`${change.shownPath}: ${url} doesn't end in /v1, so its calls fail. ${resolution}\n`);
    }
    shell.stdout.write(`${formatDiff(change)}\n`);
  }
  if (dryRun) {
    if (changes.length === 0) shell.stdout.write(`Nothing would change: ${recipe.name} is already set up.\n`);
    return;
  }
  const backups = new Backups(recipe.id, host);
  backups.write(changes, now);
  const hasOriginals = changes.some(({ before }) => before !== null);
  const originals = hasOriginals ? `Original files: ${formatPath(backups.folder, host)}\n` : '';
  const result = `${describeResult(recipe, connection, changes)}${originals}`;
  shell.stdout.write(isNewKey ? result : hideKeys(result));
}

function describeResult(recipe: Recipe, connection: Connection, changes: readonly Change[]): string {
  const { models, model } = connection;
  return [
    changes.length === 0 ? `${recipe.name} is already set up.\n` : changes.map(({ shownPath }) => `Wrote ${shownPath}\n`).join(''),
    `Models: ${models.length} (default: ${model.id})\n`,
    ...listSteps(recipe, connection).map((step) => `${step}\n`),
    `Start: ${recipe.start}\n`,
    `Undo:  ${PROGRAM} connect ${recipe.id} --undo\n`,
  ].join('');
}

interface TestOptions {
  readonly recipe: Recipe;
  readonly connection: Connection;
  readonly key: string;
  readonly call: GatewayCall;
}

async function testTool({ recipe, connection, key, call }: TestOptions, shell: Shell): Promise<void> {
  const { makeTestCalls } = await import('../../../client/connect/test-calls.ts');
  const { runTool } = await import('../../../client/connect/run-tool.ts');
  const { Backups } = await import('../../../client/connect/backups.ts');
  const env = connection.key === null ? { ...shell.env, [KEY_VARIABLE]: key } : shell.env;
  const toolResult = await runTool({ recipe, connection, env, events: shell.events });
  new Backups(recipe.id, toHostEnvironment(shell)).accept();
  if (toolResult?.isDone) {
    shell.stdout.write(`Test passed: ${toolResult.text}\n`);
    return;
  }
  const reason = recipe.once ? `${recipe.once.program} isn't on the PATH` : `This command can't run ${recipe.name}`;
  if (toolResult === null) shell.stdout.write(`${reason}. Testing with equivalent calls instead.\n`);
  await testCalls(toolResult, recipe, () => makeTestCalls(call, { recipe, connection }), shell);
}

/** Makes equivalent calls if the tool isn't installed. After a failure of the tool, they show whether the tool or the gateway failed. */
async function testCalls(
  toolResult: TestResult | null,
  { name }: Recipe,
  makeCalls: () => Promise<TestResult>,
  shell: Shell,
): Promise<void> {
  const { ConnectError } = await import('../../../client/connect/gateway-calls.ts');
  const { hideSecrets } = await import('../../../client/connect/plan-changes.ts');
  if (toolResult !== null) {
    const lines = hideSecrets(toolResult.output ?? '')
      .trimEnd()
      .split('\n');
    shell.stderr.write(`${lines.slice(-20).join('\n')}\nTest failed: ${toolResult.text}\n`);
  }
  const callResult = await makeCalls().catch((error: unknown): TestResult => {
    if (error instanceof ConnectError) return { isDone: false, text: hideSecrets(error.message) };
    throw error;
  });
  if (toolResult === null && callResult.isDone) shell.stdout.write(`Test passed: ${callResult.text}\n`);
  else if (toolResult === null) shell.stderr.write(`Test failed: ${callResult.text}\n`);
  else if (callResult.isDone) shell.stderr.write(`Equivalent calls succeed, so check ${name}: ${callResult.text}\n`);
  else shell.stderr.write(`Equivalent calls fail, too, so check the gateway and the model: ${callResult.text}\n`);
  if (toolResult !== null || !callResult.isDone) throw new ReportedError();
}
