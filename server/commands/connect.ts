/** `modelgate connect`: sets up a tool for this or another gateway, shows what it changes, tests it, and undoes it. */
import { homedir } from 'node:os';
import { type Command, InvalidArgumentError } from 'commander';
import { type Connection, KEY_VARIABLE, type Recipe, stepsOf } from '../../client/connect/recipe.ts';
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
import { PROGRAM } from './first-start.ts';
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
      'base URL of the gateway (default: MODELGATE_BASE_URL, then the previous connection, then the gateway of the data folder)',
    )
    .option('--key <key>', "key for the tool (default: MODELGATE_API_KEY, then the key in the tool's file, then a new key)")
    .option('--model <id>', 'default model of the tool (default: the previous one, then the first that supports tools)')
    .option('--key-from-env', 'let the tool read the key from MODELGATE_API_KEY, instead of writing it to a file')
    .option('--dry-run', 'only show what would change')
    .option('--test', "also run the tool once, or make equivalent calls if it isn't installed")
    .option('--undo', "restore the tool's original files")
    .addHelpText(
      'after',
      `
A new key is created only on the gateway's own machine. Only you can read the files that this command writes.
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
  const found = recipes.find((one) => one.id === id.toLowerCase());
  if (found) return found;
  throw new InvalidArgumentError(`Enter one of ${recipes.map((one) => one.id).join(', ')}.`);
}

async function connect(recipe: Recipe | undefined, options: ConnectOptions): Promise<void> {
  const { shell, dryRun, test: isTested, undo: isUndone, key, model } = options;
  if (!recipe) {
    if (dryRun || isTested || isUndone || key || model) {
      throw new InvalidArgumentError('Specify a tool, for example: modelgate connect codex --undo');
    }
    shell.stdout.write(listTools());
    return;
  }
  const { ConnectError } = await import('../connect/probe.ts');
  const { hideSecrets } = await import('../connect/files.ts');
  const { UnreadableFile } = await import('../connect/edit.ts');
  try {
    await (isUndone ? undo(recipe, shell) : setUp(recipe, options));
  } catch (error) {
    if (error instanceof ConnectError || error instanceof UnreadableFile) throw new CommandError(hideSecrets(error.message));
    if (isOfFiles(error)) throw new CommandError(`Can't write the files of ${recipe.name}: ${error.message}.`);
    throw error;
  }
}

/** Of the system: a folder that can't be written, a file in the place of a folder. */
const isOfFiles = (error: unknown): error is Error => error instanceof Error && 'syscall' in error && 'path' in error;

const listTools = (): string => {
  const rows = recipes.map(({ id, name, protocol, start }) => [id, name, protocol, start]);
  return `${formatTable(['TOOL', 'NAME', 'PROTOCOL', 'START IT WITH'], rows)}\nSet one up: ${PROGRAM} connect <tool>\n`;
};

const surroundingsOf = ({ env, folder }: Shell): Surroundings => ({
  env,
  home: env.HOME || homedir(),
  // npm runs a script in the folder of its package; this is where the user is.
  workingFolder: env.INIT_CWD || folder,
  platform: process.platform,
});

async function undo(recipe: Recipe, shell: Shell): Promise<void> {
  const { Backups, shownPath } = await import('../connect/files.ts');
  const around = surroundingsOf(shell);
  const backups = new Backups(recipe.id, around);
  const createdKey = backups.earlier()?.createdKey ?? null;
  const undone = backups.undo();
  if (undone === null) throw new CommandError(`Nothing to undo for ${recipe.id}.`);
  const write = (verb: string, paths: readonly string[]): void => {
    for (const path of paths) shell.stdout.write(`${verb} ${shownPath(path, around)}\n`);
  };
  write('Restored', undone.restored);
  write('Deleted', undone.deleted);
  write('The file was changed after it was written. The changed version is in', undone.kept);
  if (createdKey !== null) shell.stdout.write(`Key ${createdKey} is still active. Revoke it: ${PROGRAM} key revoke ${createdKey}\n`);
}

async function setUp(recipe: Recipe, options: ConnectOptions): Promise<void> {
  const { shell } = options;
  const { chooseModel, openCalls, overridesIn, readModels } = await import('../connect/probe.ts');
  const { Backups } = await import('../connect/files.ts');
  const earlier = new Backups(recipe.id, surroundingsOf(shell)).earlier();
  const keyFromEnv = options.keyFromEnv ?? (options.key === undefined && earlier?.keyFromEnv === true);
  if (keyFromEnv && recipe.keyFrom === 'file') {
    throw new CommandError(`${recipe.name} can't read the key from a variable. Omit --key-from-env.`);
  }
  const { baseUrl, key, source, createdKey } = await findTarget(recipe, earlier, { ...options, keyFromEnv });
  const call = openCalls({ baseUrl, key, env: shell.env });
  const found = await readModels(call, source);
  const connection: Connection = {
    ...found,
    baseUrl,
    key: keyFromEnv ? null : key,
    ...(earlier && earlier.baseUrl !== baseUrl && { formerBaseUrl: earlier.baseUrl }),
    model: chooseModel(found, options.model ?? modelOf(earlier, found)),
  };
  const warnings = overridesIn(recipe, shell.env);
  const now = { baseUrl, model: connection.model.id, keyFromEnv, createdKey: createdKey ?? earlier?.createdKey ?? null };
  if (recipe.lines) shell.stdout.write(recipe.lines(connection));
  else await writeFiles({ recipe, connection, now, isNewKey: createdKey !== null }, options);
  for (const warning of warnings) shell.stderr.write(`Warning: ${warning}\n`);
  if (!options.test || options.dryRun) return;
  if (found.simulated.includes(connection.model.id)) {
    throw new CommandError(
      `Not tested: the built-in simulator responds for ${connection.model.id}, and it does no tasks. Add an upstream, then run this again with --test.`,
    );
  }
  await test({ recipe, connection, key, call }, shell);
  if (warnings.length > 0) shell.stderr.write('Unset the variables of the warnings, so that the tool uses its file.\n');
}

/** The model of an earlier connection, if the key can still call it. */
const modelOf = (earlier: Earlier | null, { models }: KeyModels): string | undefined => models.find(({ id }) => id === earlier?.model)?.id;

interface Target {
  readonly baseUrl: string;
  readonly key: string;
  /** Where the key comes from, for people. */
  readonly source: string;
  /** ID of a key that was created now. */
  readonly createdKey: string | null;
}

/** From the options, the environment, the earlier connection, or the gateway of the data folder, which then creates a key. */
async function findTarget(recipe: Recipe, earlier: Earlier | null, options: ConnectOptions): Promise<Target> {
  const { env, stderr } = options.shell;
  const { toBaseUrl } = await import('../connect/probe.ts');
  const requested = options.baseUrl || env.MODELGATE_BASE_URL || earlier?.baseUrl;
  const baseUrl = toBaseUrl(requested || ownBaseUrl(options));
  if (requested && baseUrl !== requested) stderr.write(`Using base URL ${baseUrl}\n`);
  const given = await givenKey(recipe, baseUrl, options);
  if (given) {
    const key = given.key.trim();
    if (!/^[\x21-\x7e]+$/.test(key)) throw new CommandError(`The key from ${given.source} contains a space or an invalid character.`);
    return { baseUrl, key, source: given.source, createdKey: null };
  }
  const hint = 'Specify a key with --key or MODELGATE_API_KEY.';
  // Nobody would see a key that is created for these, or it would be another one each time.
  if (options.dryRun) throw new CommandError(`A dry run doesn't create a key. ${hint}`);
  if (requested || options.keyFromEnv || recipe.lines) throw new CommandError(hint);
  const created = await createKey(recipe.id, baseUrl, options);
  return { baseUrl, key: created.key, source: 'the gateway', createdKey: created.id };
}

interface GivenKey {
  readonly key: string;
  readonly source: string;
}

async function givenKey(recipe: Recipe, baseUrl: string, { key, shell }: ConnectOptions): Promise<GivenKey | null> {
  if (key) return { key, source: '--key' };
  if (shell.env.MODELGATE_API_KEY) return { key: shell.env.MODELGATE_API_KEY, source: 'MODELGATE_API_KEY' };
  const { readPresent } = await import('../connect/files.ts');
  const text = readPresent(recipe, surroundingsOf(shell)).join('\n');
  const present = text.includes(baseUrl) ? /\bmg-[0-9A-Za-z]{20,}\b/.exec(text)?.[0] : undefined;
  return present === undefined ? null : { key: present, source: `the file of ${recipe.name}` };
}

function ownBaseUrl(options: ConnectOptions): string {
  const { host, port } = readConfig(options).server;
  return `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}`;
}

async function createKey(name: string, baseUrl: string, options: ConnectOptions): Promise<{ readonly key: string; readonly id: string }> {
  const { shell } = options;
  const { ConnectError, openCalls } = await import('../connect/probe.ts');
  const created = { key: '', id: '' };
  await withAdmin(options, async (client) => {
    // A key for a gateway that doesn't run, or at another address, would be of no use. Without a key it responds, too.
    await openCalls({ baseUrl, key: 'none', env: shell.env })('/models').catch((error: unknown) => {
      throw error instanceof ConnectError
        ? new CommandError(`${error.message} If it has another address, specify it with --base-url.`)
        : error;
    });
    Object.assign(created, await client.call('createKey', { body: { account: 'default', name } }));
  });
  shell.stderr.write(
    `Created key ${created.id} "${name}". Revoke it: ${PROGRAM} key revoke ${created.id}${dataHint(findData(options), shell.folder)}\n`,
  );
  return created;
}

interface WriteParts {
  readonly recipe: Recipe;
  readonly connection: Connection;
  readonly now: Earlier;
  /** Nobody has seen the key yet. */
  readonly isNewKey: boolean;
}

async function writeFiles({ recipe, connection, now, isNewKey }: WriteParts, { shell, dryRun = false }: ConnectOptions): Promise<void> {
  const { Backups, diffOf, hideKeys, isChange, planChanges, shownPath } = await import('../connect/files.ts');
  const { urlsWithoutVersion } = await import('../connect/probe.ts');
  const around = surroundingsOf(shell);
  const changes = planChanges(recipe.files(connection), around).filter(isChange);
  for (const change of changes) {
    for (const url of urlsWithoutVersion(change.before?.toString() ?? '', connection.baseUrl)) {
      const isLeft = urlsWithoutVersion(change.after.toString(), connection.baseUrl).includes(url);
      const what = isLeft ? 'It belongs to another entry: correct it yourself.' : 'Corrected.';
      shell.stderr.write(`${change.shownPath}: ${url} doesn't end in /v1, so its calls fail. ${what}\n`);
    }
    shell.stdout.write(`${diffOf(change)}\n`);
  }
  if (dryRun) return;
  const backups = new Backups(recipe.id, around);
  backups.write(changes, now);
  const hasOriginals = changes.some(({ before }) => before !== null);
  const originals = hasOriginals ? `Original files: ${shownPath(backups.folder, around)}\n` : '';
  const result = `${describeResult(recipe, connection, changes)}${originals}`;
  shell.stdout.write(isNewKey ? result : hideKeys(result));
}

function describeResult(recipe: Recipe, connection: Connection, changes: readonly Change[]): string {
  const { models, model } = connection;
  return [
    changes.length === 0 ? `${recipe.name} is already set up.\n` : changes.map(({ shownPath }) => `Wrote ${shownPath}\n`).join(''),
    `Models: ${models.length} (default: ${model.id})\n`,
    ...stepsOf(recipe, connection).map((step) => `${step}\n`),
    `Start: ${recipe.start}\n`,
    `Undo:  ${PROGRAM} connect ${recipe.id} --undo\n`,
  ].join('');
}

interface TestParts {
  readonly recipe: Recipe;
  readonly connection: Connection;
  readonly key: string;
  readonly call: Call;
}

async function test({ recipe, connection, key, call }: TestParts, shell: Shell): Promise<void> {
  const { makeCalls, runTool } = await import('../connect/proof.ts');
  const { Backups } = await import('../connect/files.ts');
  const env = connection.key === null ? { ...shell.env, [KEY_VARIABLE]: key } : shell.env;
  const ran = await runTool({ recipe, connection, env, events: shell.events });
  new Backups(recipe.id, surroundingsOf(shell)).accept();
  if (ran?.isDone) {
    shell.stdout.write(`Test passed: ${ran.text}\n`);
    return;
  }
  const reason = recipe.once ? `${recipe.once.program} isn't on the PATH` : `This command can't run ${recipe.name}`;
  if (ran === null) shell.stdout.write(`${reason}. Testing with equivalent calls instead.\n`);
  await testCalls(ran, recipe, () => makeCalls(call, { recipe, connection }), shell);
}

/** Instead of a tool that isn't here, or after its failure, to show whether the tool or the gateway failed. */
async function testCalls(ran: Proof | null, { name }: Recipe, make: () => Promise<Proof>, shell: Shell): Promise<void> {
  const { ConnectError } = await import('../connect/probe.ts');
  const { hideSecrets } = await import('../connect/files.ts');
  if (ran !== null) {
    const lines = hideSecrets(ran.output ?? '')
      .trimEnd()
      .split('\n');
    shell.stderr.write(`${lines.slice(-20).join('\n')}\nTest failed: ${ran.text}\n`);
  }
  const made = await make().catch((error: unknown): Proof => {
    if (error instanceof ConnectError) return { isDone: false, text: hideSecrets(error.message) };
    throw error;
  });
  if (ran === null && made.isDone) shell.stdout.write(`Test passed: ${made.text}\n`);
  else if (ran === null) shell.stderr.write(`Test failed: ${made.text}\n`);
  else if (made.isDone) shell.stderr.write(`Equivalent calls succeed, so check ${name}: ${made.text}\n`);
  else shell.stderr.write(`Equivalent calls fail, too, so check the gateway and the model: ${made.text}\n`);
  if (ran !== null || !made.isDone) throw new ReportedError();
}
