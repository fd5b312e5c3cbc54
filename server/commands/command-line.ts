/** The command line of `modelgate`: parses the arguments, runs the command, returns the exit code. */
import { Command, InvalidArgumentError, Option } from 'commander';
import type { LimitInUse } from '../../contract/admin/limits.ts';
import { type AdminRole, adminRoleNames } from '../../contract/admin/roles.ts';
import type { Config } from '../config/config.ts';
import { ConfigError } from '../config/document.ts';
import type { Finding } from '../doctor/stores.ts';
import { addAccount, addSubscription } from './account.ts';
import { addActivity, addUsage } from './activity.ts';
import {
  type AdminOptions,
  addAdminCommand,
  addGroup,
  callAll,
  formatTable,
  LOCATION_HELP,
  type LocationOptions,
  print,
  readConfig,
  shortTime,
  withAdmin,
  withConfigOption,
  withDataOption,
} from './administration.ts';
import { addConfig } from './config.ts';
import { addConnect } from './connect.ts';
import { addKey } from './key.ts';
import { addModels, addPrice } from './price.ts';
import { addExplain, addRequests } from './requests.ts';
import { addServe, addVersion, readVersion } from './serve.ts';
import { EXIT_CODE_HELP, type ExitCode, exitCodes, ReportedError, reportFailure, type Screen, type Shell } from './serving.ts';
import { limitText, parseName } from './settings.ts';
import { addAlert, addDb, addLedger, addUpstream } from './upstream.ts';
import { addVerify } from './verify.ts';

interface DoctorOptions extends LocationOptions {
  readonly upstream?: boolean;
  readonly json?: boolean;
}

function addDoctor(program: Command): void {
  withDataOption(withConfigOption(program.command('doctor')))
    .description('test everything that the gateway depends on, with timings: configuration, folder, database, Redis, upstreams, ports')
    .option('--upstream', "also request the model list of each upstream with its key; providers don't charge for this")
    .option('--json', 'print all findings as JSON')
    .addHelpText(
      'after',
      `
Beside a running gateway or without one; run it as the same user, with the same environment. Nothing is changed: what is written is taken back.

Examples:
  modelgate doctor
  modelgate doctor --upstream
  modelgate doctor --json
${LOCATION_HELP}

Exit codes:
  0  no part is at fault; there may be warnings
  1  a part is at fault
  2  the command was not understood`,
    )
    .action(async (options: DoctorOptions) => {
      const findings = await findAll(options);
      const isWell = findings.every(({ state }) => state !== 'fault');
      options.shell.stdout.write(
        options.json ? `${JSON.stringify({ object: 'diagnosis', ok: isWell, findings }, null, 2)}\n` : describeFindings(findings),
      );
      if (!isWell) throw new ReportedError();
    });
}

async function findAll(options: DoctorOptions): Promise<Finding[]> {
  const startedAt = performance.now();
  const config = attempt(() => readConfig(options));
  if (config instanceof ConfigError) {
    const ms = Math.round(performance.now() - startedAt);
    return config.problems.map(({ where, key, message, remedy }) => ({
      part: 'configuration',
      state: 'fault' as const,
      ms,
      hint: remedy,
      detail: `${where}: ${key === '' ? '' : `${key} `}${message}`,
    }));
  }
  // Loaded here, so that other commands start without loading the databases.
  const { examineAll } = await import('../doctor/examine.ts');
  return examineAll({ config, env: options.shell.env, asksForModels: options.upstream === true });
}

function attempt(load: () => Config): Config | ConfigError {
  try {
    return load();
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
}

/** The state as printed; problems are in capitals, so that they stand out. */
const shownStates: Readonly<Record<Finding['state'], string>> = { ok: 'ok', warning: 'WARNING', fault: 'FAULT', skipped: '-' };

function describeFindings(findings: readonly Finding[]): string {
  const rows = findings.map(({ part, state, ms, detail }) => [part, shownStates[state], `${ms} ms`, detail]);
  const hints = findings.filter(({ hint }) => hint).map(({ part, state, hint }) => `${shownStates[state]} ${part}: ${hint}\n`);
  return [formatTable(['PART', 'STATE', 'TOOK', 'FOUND'], rows), ...(hints.length > 0 ? [hints.join('')] : []), verdictOn(findings)].join(
    '\n',
  );
}

function verdictOn(findings: readonly Finding[]): string {
  const count = (state: Finding['state']): number => findings.filter((finding) => finding.state === state).length;
  const [faults, warnings] = [count('fault'), count('warning')];
  const warned = warnings === 0 ? '' : `${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`;
  if (faults === 0) return `${warned || 'No problems found'}.\n`;
  return `${faults === 1 ? '1 part is' : `${faults} parts are`} at fault${warned && `, ${warned}`}.\n`;
}

function addAdminKey(program: Command): void {
  const key = addGroup(program, 'admin-key', 'create, list, and revoke admin keys');
  addCreate(key);
  addAdminKeyList(key);
  addAdminKeyRevoke(key);
}

interface CreateOptions extends AdminOptions {
  readonly name: string;
  readonly role: AdminRole;
}

function addCreate(key: Command): void {
  addAdminCommand(key, 'create', {
    description: "create an admin key; it's printed once, on stdout",
    examples: [
      'modelgate admin-key create --name alice',
      'modelgate admin-key create --name dashboard --role viewer',
      'export MODELGATE_ADMIN_KEY=$(modelgate admin-key create --name alice)',
    ],
  })
    .option('-n, --name <name>', 'the owner of the key', parseName, 'unnamed')
    .addOption(
      new Option('-r, --role <role>', 'permissions: read only, also change balances and prices, or everything')
        .choices(adminRoleNames)
        .default('admin'),
    )
    .action(async (options: CreateOptions) => {
      await withAdmin(
        options,
        async (client) => {
          const made = await client.call('createAdminKey', { body: { name: options.name, role: options.role } });
          print(options, made, `${made.key}\n`);
          if (!options.json)
            options.shell.stderr.write(`${made.id} "${made.name}", ${made.role}. Save the key: it won't be shown again.\n`);
        },
        { makesFolder: true },
      );
    });
}

function addAdminKeyList(key: Command): void {
  addAdminCommand(key, 'list', {
    description: 'list admin keys, without their secrets',
    examples: ['modelgate admin-key list'],
  }).action(async (options: AdminOptions) => {
    await withAdmin(options, async (client) => {
      const list = await client.call('listAdminKeys', {});
      const rows = list.data.map(({ id, name, role, created_at: created, revoked_at: revoked }) => [
        id,
        name,
        role,
        revoked === null ? 'active' : 'revoked',
        shortTime(created),
      ]);
      const none = 'No admin keys yet. Create one: modelgate admin-key create\n';
      print(options, list, rows.length === 0 ? none : formatTable(['ID', 'NAME', 'ROLE', 'STATE', 'CREATED'], rows));
    });
  });
}

function addAdminKeyRevoke(key: Command): void {
  addAdminCommand(key, 'revoke <id>', {
    description: 'revoke an admin key immediately',
    examples: ['modelgate admin-key revoke admin_0aB3dE5gH7jK9mN1p'],
  }).action(async (id: string, options: AdminOptions) => {
    await withAdmin(options, async (client) => {
      const revoked = await client.call('revokeAdminKey', { params: { key_id: id } });
      print(options, revoked, `${id} is revoked.\n`);
    });
  });
}

interface ListOptions extends AdminOptions {
  readonly scope?: LimitInUse['scope'];
  readonly over?: number;
}

function addLimit(program: Command): void {
  const limit = addGroup(program, 'limit', 'show which limits are in use');
  addAdminCommand(limit, 'list', {
    description: 'list the limits of a running gateway (--url) that are nearly reached or rejected calls, highest usage first',
    examples: [
      'modelgate limit list --url http://127.0.0.1:8081',
      'modelgate limit list --scope key --over 0.9 --url http://127.0.0.1:8081',
    ],
  })
    .addOption(new Option('--scope <scope>', 'only limits of this scope').choices(['key', 'account', 'group', 'model']))
    .option('--over <share>', 'only limits with at least this usage, from 0 to 1 (default: 0.5)', parseShare)
    .action(async (options: ListOptions) => {
      await withAdmin(options, async (client) => {
        const list = await client.call('listLimitsInUse', { query: { scope: options.scope, over: options.over } });
        const hint =
          options.url === undefined ? ' No gateway is running in this process. Specify the admin listener of one with --url.' : '';
        print(options, list, list.data.length === 0 ? `No limits are nearly reached.${hint}\n` : describeLimits(list.data));
      });
    });
}

function parseShare(text: string): number {
  const share = Number(text);
  if (text.trim() !== '' && share >= 0 && share <= 1) return share;
  throw new InvalidArgumentError('Enter a number from 0 to 1.');
}

const describeLimits = (limits: readonly LimitInUse[]): string =>
  formatTable(
    ['SCOPE', 'NAME', 'QUANTITY', 'USED', 'LEFT', 'MODE', 'REJECTED 1 H'],
    limits.map((one) => [
      one.scope,
      one.name ?? one.subject,
      one.quantity,
      `${Math.round(one.used * 100)} %`,
      `${one.remaining} of ${one.limit}`,
      one.mode,
      rejectedText(one),
    ]),
  );

const rejectedText = ({ rejected_1h: calls, mode, rejected_accounts: accounts }: LimitInUse): string => {
  const whom = accounts.map(({ name, account_id: id, calls: own }) => `${name ?? id} ${own}`).join(', ');
  return `${calls}${mode === 'observe' && calls > 0 ? ' would have been' : ''}${whom === '' ? '' : ` (${whom})`}`;
};

function addSession(program: Command): void {
  const session = addGroup(program, 'session', 'list and revoke console sessions');
  addSessionList(session);
  addSessionRevoke(session);
}

function addSessionList(session: Command): void {
  addAdminCommand(session, 'list', {
    description: 'list active console sessions',
    examples: ['modelgate session list'],
  }).action(async (options: AdminOptions) => {
    await withAdmin(options, async (client) => {
      const list = await callAll(client, 'listSessions', {});
      const rows = list.data.map(({ id, actor, name, created_at: created, expires_at: expires }) => [
        id,
        `${actor} ${name}`,
        shortTime(created),
        shortTime(expires),
      ]);
      print(options, list, rows.length === 0 ? 'No active sessions.\n' : formatTable(['ID', 'ADMIN KEY', 'SINCE', 'UNTIL'], rows));
    });
  });
}

function addSessionRevoke(session: Command): void {
  addAdminCommand(session, 'revoke <id>', {
    description: 'end a console session immediately',
    examples: ['modelgate session revoke sess_4f1d2c3b4a5948378695a4b3'],
  }).action(async (id: string, options: AdminOptions) => {
    await withAdmin(options, async (client) => {
      const ended = await client.call('revokeSession', { params: { session_id: id } });
      print(options, ended, `${id} has ended.\n`);
    });
  });
}

function addGroups(program: Command): void {
  const group = addGroup(program, 'group', 'list account groups');
  addAdminCommand(group, 'list', {
    description: 'list groups with their multiplier, limits, and models',
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
      print(options, list, formatTable(['GROUP', 'MULTIPLIER', 'REQUESTS/MIN', 'TOKENS/MIN', 'CONCURRENT', 'MODELS'], rows));
    });
  });
}

function addSearch(program: Command): void {
  addAdminCommand(program, 'search <text>', {
    description: 'find a request, key, account, or model by its ID or name; a key also by its last four characters',
    examples: ['modelgate search research', 'modelgate search req_01a20823c275fb8969eb8cd844614650 --json'],
  }).action(async (q: string, options: AdminOptions) => {
    await withAdmin(options, async (client) => {
      const list = await client.call('search', { query: { q } });
      const rows = list.data.map(({ kind, id, label }) => [kind, id, label]);
      print(options, list, rows.length === 0 ? 'No results.\n' : formatTable(['TYPE', 'ID', 'NAME'], rows));
    });
  });
}

const commands = [
  ...[addServe, addConnect, addAccount, addKey, addGroups, addUsage, addRequests, addActivity, addModels, addUpstream, addPrice],
  ...[
    addLimit,
    addSearch,
    addSubscription,
    addLedger,
    addExplain,
    addAdminKey,
    addSession,
    addDb,
    addConfig,
    addDoctor,
    addVerify,
    addAlert,
    addVersion,
  ],
];

/** Options of the program itself; `launch.mjs` has the same list. */
const ownOptions = new Set(['-h', '--help', '-V', '--version']);

/** Without a command the gateway starts with the given options, like `npm start`, so that `npx modelgate` works. */
function wordsOf(words: readonly string[]): readonly string[] {
  const [first = '--'] = words;
  return first.startsWith('-') && !ownOptions.has(first) ? ['serve', ...words] : words;
}

/** `words` are the arguments without the program. Resolves when the command ends; `serve` ends on a signal. */
export async function runCommandLine(words: readonly string[], shell: Shell): Promise<ExitCode> {
  try {
    await openProgram(shell).parseAsync(wordsOf(words), { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    return reportFailure(error, shell);
  }
}

function openProgram(shell: Shell): Command {
  const program = new Command('modelgate')
    .description('A gateway between callers with API keys and the models behind it.')
    .version(readVersion(), '-V, --version', 'print the version')
    .helpCommand('help [command]', 'show how to use a command')
    .showHelpAfterError('(add --help to show its usage)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => shell.stdout.write(text),
      writeErr: (text) => shell.stderr.write(text),
      getOutHelpWidth: () => widthOf(shell.stdout),
      getErrHelpWidth: () => widthOf(shell.stderr),
    })
    .hook('preAction', (_, command) => {
      command.setOptionValue('shell', shell);
    })
    .addHelpText(
      'after',
      `\nExamples:\n  modelgate                        start the gateway, like "modelgate serve"\n  modelgate --port 0               start it on a free port; accepts the options of "modelgate serve"\n  modelgate key create --name alice\n  modelgate account top-up default 10\n  modelgate config check\n${EXIT_CODE_HELP}`,
    );
  for (const add of commands) add(program);
  return program;
}

/** Width in columns; undefined means the default of commander. */
const widthOf = ({ isTTY, columns = 80 }: Screen): number => (isTTY ? columns : 80);
