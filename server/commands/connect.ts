/** `modelgate connect`: sets up a tool for this or another gateway, shows what it changes, tests it, and takes it back. */
import { homedir } from 'node:os';
import { type Command, InvalidArgumentError } from 'commander';
import type { Connection, Recipe } from '../../client/connect/recipe.ts';
import { recipes } from '../../client/connect/tools.ts';
import type { Change, Earlier, Surroundings } from '../connect/files.ts';
import type { Call, KeyModels } from '../connect/probe.ts';
import type { Proof } from '../connect/proof.ts';
import {
  dataHint,
  findData,
  formatTable,
  type LocationOptions,
  readConfig,
  withAdmin,
  withConfigOption,
  withDataOption,
} from './administration.ts';
import { CommandError, ReportedError, type Shell } from './serving.ts';

interface ConnectOptions extends LocationOptions {
  readonly baseUrl?: string;
  readonly key?: string;
  readonly model?: string;
  readonly keyFromEnv?: boolean;
  readonly dryRun?: boolean;
  readonly test?: boolean;
  readonly undo?: boolean;
}

export function addConnect(program: Command): void {
  withDataOption(withConfigOption(program.command('connect')))
    .argument('[tool]', 'tool to set up; omit it for a list', parseTool)
    .description("set up a coding tool for a gateway: write the tool's own configuration, with the models that the key can call")
    .option(
      '--base-url <url>',
      "base URL of the gateway (default: MODELGATE_BASE_URL, the one of an earlier connection, or the data folder's gateway)",
    )
    .option(
      '--key <key>',
      "key for the tool (default: MODELGATE_API_KEY, the key in the tool's file, or a new key of the data folder's gateway)",
    )
    .option('--model <id>', 'default model of the tool (default: the one of an earlier connection, or the first that supports tools)')
    .option('--key-from-env', 'let the tool read the key from MODELGATE_API_KEY, instead of writing it to a file')
    .option('--dry-run', 'only show what would change')
    .option('--test', "also run the tool once, or make the tool's calls if it isn't installed")
    .option('--undo', "restore the tool's files as they were before")
    .addHelpText(
      'after',
      `
The original files are kept until --undo. Files that contain the key can be read only by you.
--test is charged like any other call.

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
  2  the command was not understood`,
    )
    .action((recipe: Recipe | undefined, options: ConnectOptions) => connect(recipe, options));
}

function parseTool(id: string): Recipe {
  const found = recipes.find((one) => one.id === id);
  if (found) return found;
  throw new InvalidArgumentError(`Enter one of ${recipes.map((one) => one.id).join(', ')}.`);
}

async function connect(recipe: Recipe | undefined, options: ConnectOptions): Promise<void> {
  const { shell } = options;
  if (!recipe) {
    shell.stdout.write(listTools());
    return;
  }
  const { ConnectError } = await import('../connect/probe.ts');
  const { UnreadableFile } = await import('../connect/edit.ts');
  try {
    await (options.undo ? undo(recipe, shell) : setUp(recipe, options));
  } catch (error) {
    const { hideSecrets } = await import('../connect/files.ts');
    if (error instanceof ConnectError || error instanceof UnreadableFile) throw new CommandError(hideSecrets(error.message));
    if (isOfFiles(error)) throw new CommandError(`${error.message}. Correct it, then run the command again.`);
    throw error;
  }
}

/** Of the system: a folder that can't be written, a folder in the place of a file. */
const isOfFiles = (error: unknown): error is Error => error instanceof Error && 'syscall' in error && 'path' in error;

const listTools = (): string => {
  const rows = recipes.map(({ id, name, protocol, start }) => [id, name, protocol, start]);
  return `${formatTable(['TOOL', 'NAME', 'PROTOCOL', 'START IT WITH'], rows)}\nSet one up: modelgate connect <tool>\n`;
};

const surroundingsOf = ({ env, folder }: Shell): Surroundings => ({
  env,
  home: env.HOME || homedir(),
  workingFolder: folder,
  platform: process.platform,
});

async function undo(recipe: Recipe, shell: Shell): Promise<void> {
  const { Backups, shownPath } = await import('../connect/files.ts');
  const around = surroundingsOf(shell);
  const undone = new Backups(recipe.id, around).undo();
  if (undone === null) throw new CommandError(`Nothing to undo: ${recipe.name} isn't set up by this command.`);
  const write = (verb: string, paths: readonly string[]): void => {
    for (const path of paths) shell.stdout.write(`${verb} ${shownPath(path, around)}\n`);
  };
  write('Restored', undone.restored);
  write('Deleted', undone.deleted);
  write('Changed since; that version is kept in', undone.kept);
}

async function setUp(recipe: Recipe, options: ConnectOptions): Promise<void> {
  const { shell, keyFromEnv = false } = options;
  if (keyFromEnv && recipe.keyFrom === 'file')
    throw new CommandError(`${recipe.name} can't read the key from a variable. Omit --key-from-env.`);
  const { chooseModel, openCalls, overridesIn, readModels } = await import('../connect/probe.ts');
  const { Backups } = await import('../connect/files.ts');
  const earlier = new Backups(recipe.id, surroundingsOf(shell)).earlier();
  const { baseUrl, key, isNew } = await placeOf(recipe, earlier, options);
  const call = openCalls({ baseUrl, key, env: shell.env });
  const found = await readModels(call);
  const connection: Connection = {
    ...found,
    baseUrl,
    key: keyFromEnv ? null : key,
    ...(earlier && earlier.baseUrl !== baseUrl && { formerBaseUrl: earlier.baseUrl }),
    model: chooseModel(found, options.model ?? modelOf(earlier, found)),
  };
  const warnings = overridesIn(recipe, shell.env);
  if (recipe.lines) shell.stdout.write(recipe.lines(connection));
  else await writeFiles({ recipe, connection, isNew }, options);
  for (const warning of warnings) shell.stderr.write(`Warning: ${warning}\n`);
  if (!options.test || options.dryRun) return;
  if (found.simulated.includes(connection.model.id)) {
    throw new CommandError(
      `Nothing was tested: ${connection.model.id} is the built-in simulator, which does no tasks. Add an upstream, then test again.`,
    );
  }
  await test({ recipe, connection, key, isNew, call, hasOverrides: warnings.length > 0 }, shell);
}

/** The model of an earlier connection, if the key can still call it. */
const modelOf = (earlier: Earlier | null, { models }: KeyModels): string | undefined => models.find(({ id }) => id === earlier?.model)?.id;

interface Parts {
  readonly recipe: Recipe;
  readonly connection: Connection;
  readonly key: string;
  /** The key was created here: nobody has seen it yet. */
  readonly isNew: boolean;
}

/** From the options, the environment, the tool's file, or the gateway of the data folder, which then creates a key. */
async function placeOf(
  recipe: Recipe,
  earlier: Earlier | null,
  options: ConnectOptions,
): Promise<{ readonly baseUrl: string; readonly key: string; readonly isNew: boolean }> {
  const { env, stderr } = options.shell;
  const { toBaseUrl } = await import('../connect/probe.ts');
  const asked = options.baseUrl || env.MODELGATE_BASE_URL || earlier?.baseUrl;
  const baseUrl = toBaseUrl(asked || ownBaseUrl(options));
  if (asked && baseUrl !== asked) stderr.write(`The base URL ends in /v1: using ${baseUrl}\n`);
  const key = (options.key || env.MODELGATE_API_KEY)?.trim() || (await presentKey(recipe, baseUrl, options.shell));
  if (key && !/^[\x21-\x7e]+$/.test(key)) throw new CommandError("The key contains a space or a character that keys don't have.");
  if (key) return { baseUrl, key, isNew: false };
  // A key that was created for nothing, or that nobody sees, would stay.
  if (asked || options.dryRun || options.keyFromEnv) throw new CommandError('Specify a key with --key or MODELGATE_API_KEY.');
  return { baseUrl, key: await createKey(recipe.id, options), isNew: true };
}

/** The key of an earlier connection to the same gateway. */
async function presentKey(recipe: Recipe, baseUrl: string, shell: Shell): Promise<string | undefined> {
  const { readPresent } = await import('../connect/files.ts');
  const text = readPresent(recipe, surroundingsOf(shell)).join('\n');
  return text.includes(baseUrl) ? /\bmg-[0-9A-Za-z]{20,}\b/.exec(text)?.[0] : undefined;
}

function ownBaseUrl(options: ConnectOptions): string {
  const { host, port } = readConfig(options).server;
  return `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}`;
}

async function createKey(name: string, options: ConnectOptions): Promise<string> {
  let key = '';
  await withAdmin(options, async (client) => {
    const made = await client.call('createKey', { body: { account: 'default', name } });
    key = made.key;
    options.shell.stderr.write(
      `Created key ${made.id} "${name}". Revoke it: modelgate key revoke ${made.id}${dataHint(findData(options), options.shell.folder)}\n`,
    );
  });
  return key;
}

async function writeFiles({ recipe, connection, isNew }: Omit<Parts, 'key'>, options: ConnectOptions): Promise<void> {
  const { shell, dryRun = false } = options;
  const { Backups, diffOf, hideSecrets, isChange, planChanges } = await import('../connect/files.ts');
  const { urlsWithoutVersion } = await import('../connect/probe.ts');
  const around = surroundingsOf(shell);
  const changes = planChanges(recipe.files(connection), around).filter(isChange);
  for (const change of changes) {
    for (const url of urlsWithoutVersion(change.before?.toString() ?? '', connection.baseUrl)) {
      shell.stderr.write(`${change.shownPath}: ${url} doesn't end in /v1, so its calls fail.\n`);
    }
    shell.stdout.write(`${diffOf(change)}\n`);
  }
  if (dryRun) return;
  if (changes.length > 0) new Backups(recipe.id, around).write(changes, { baseUrl: connection.baseUrl, model: connection.model.id });
  shell.stdout.write(
    isNew ? describeResult({ recipe, connection }, changes) : hideSecrets(describeResult({ recipe, connection }, changes)),
  );
}

function describeResult({ recipe, connection }: Omit<Parts, 'key' | 'isNew'>, changes: readonly Change[]): string {
  const { models, model } = connection;
  const steps = recipe.steps(connection).map((step) => `${step}\n`);
  return [
    changes.length === 0 ? `${recipe.name} is already set up.\n` : changes.map(({ shownPath }) => `Wrote ${shownPath}\n`).join(''),
    `Models: ${models.length === 1 ? '1 model' : `${models.length} models`}, ${model.id} by default\n`,
    ...steps,
    `Start: ${recipe.start}\n`,
    `Undo:  modelgate connect ${recipe.id} --undo\n`,
  ].join('');
}

interface TestParts extends Parts {
  readonly call: Call;
  readonly hasOverrides: boolean;
}

async function test({ recipe, connection, key, call, hasOverrides }: TestParts, shell: Shell): Promise<void> {
  const { makeCalls, runTool, withKey } = await import('../connect/proof.ts');
  const env = connection.key === null ? withKey(shell.env, key) : shell.env;
  const ran = await runTool({ recipe, connection, env, events: shell.events });
  if (ran === null && recipe.once) shell.stdout.write(`${recipe.once.program} isn't on the PATH: making its calls instead.\n`);
  if (ran?.isDone) shell.stdout.write(`Test passed: ${ran.text}\n`);
  else await testCalls(ran, () => makeCalls(call, { recipe, connection }), shell);
  if (hasOverrides) shell.stderr.write('See the warnings above: without these variables, the tool uses its file.\n');
}

/** Instead of a tool that isn't here, or after a failure of the tool, to tell whose fault it is. */
async function testCalls(ran: Proof | null, make: () => Promise<Proof>, shell: Shell): Promise<void> {
  const { ConnectError } = await import('../connect/probe.ts');
  if (ran !== null) {
    const { hideSecrets } = await import('../connect/files.ts');
    const lines = hideSecrets(ran.output ?? '')
      .trimEnd()
      .split('\n');
    shell.stderr.write(`${lines.slice(-20).join('\n')}\nTest failed: ${ran.text}\n`);
  }
  const made = await make().catch((error: unknown): Proof => {
    if (error instanceof ConnectError) return { isDone: false, text: error.message };
    throw error;
  });
  if (ran === null && made.isDone) shell.stdout.write(`Test passed: ${made.text}\n`);
  else if (ran === null) shell.stderr.write(`Test failed: ${made.text}\n`);
  else
    shell.stderr.write(
      made.isDone ? `The same calls work without it: ${made.text}\n` : `The same calls fail without it, too: ${made.text}\n`,
    );
  if (ran !== null || !made.isDone) throw new ReportedError();
}
