/** Adds commands that use the admin API, and connects them: to a URL, to the running gateway, or to the data folder. */

import type { Command } from 'commander';
import type { OpenOperations } from '../../api/admin/operations.ts';
import { rateNames } from '../../config/rate-names.ts';
import { hasDatabase } from '../../store/sqlite/database.ts';
import { type AdminClient, createHttpSender, openAdminClient, RejectedCall, type SendRequest } from './admin-client.ts';
import { CommandError } from './command-error.ts';
import { type CommandName, commandSummaries } from './command-summaries.ts';
import { EXIT_CODE_HELP } from './exit-codes.ts';
import { keyOptions } from './key-options.ts';
import {
  addConfigOption,
  addDataOption,
  formatDataOption,
  getDataFolder,
  LOCATION_HELP,
  type LocationOptions,
  readConfig,
} from './location-options.ts';

export interface AdminOptions extends LocationOptions {
  readonly url?: string;
  readonly json?: boolean;
}

export interface CommandTexts {
  readonly description: string;
  /** Command lines to copy. */
  readonly examples: readonly string[];
  /** Whether the parent command runs this subcommand by default. */
  readonly isDefault?: boolean;
}

/** Adds a subcommand with the shared options. */
export function addAdminCommand(parent: Command, usage: string, { description, examples, isDefault = false }: CommandTexts): Command {
  return addDataOption(addConfigOption(parent.command(usage, { isDefault })))
    .description(description)
    .option('-u, --url <address>', 'admin URL of a running gateway (default: open the data folder)')
    .option('--json', 'print the response of the admin API as JSON')
    .addHelpText('after', `\nExamples:\n${examples.map((line) => `  ${line}\n`).join('')}${adminHelp}\n${EXIT_CODE_HELP}`);
}

/** Adds a command that has only subcommands. */
export function addCommandGroup(program: Command, name: CommandName): Command {
  return program.command(name).description(commandSummaries[name]).addHelpText('after', EXIT_CODE_HELP);
}

const adminHelp = `${LOCATION_HELP}
  MODELGATE_ADMIN_KEY  admin key, for --url`;

interface AdminConnection {
  readonly client: AdminClient;
  close(): Promise<void>;
}

/** `makesFolder` allows a missing database, for commands that may run before the gateway's first start. */
export async function withAdmin(
  options: AdminOptions,
  work: (client: AdminClient) => Promise<void>,
  { makesFolder = false }: { readonly makesFolder?: boolean } = {},
): Promise<void> {
  const { client, close } =
    options.url === undefined ? await openLocalAdmin(options, makesFolder) : await openRemoteAdmin(options.url, options);
  try {
    await work(client);
  } catch (error) {
    throw error instanceof RejectedCall ? addListHint(error, options) : error;
  } finally {
    await close();
  }
}

/**
 * Calls a running gateway. Without --url, it's the gateway of the data folder at its configured address, with an admin
 * key for this command only.
 */
export async function withRunningGateway(options: AdminOptions, work: (client: AdminClient) => Promise<void>): Promise<void> {
  if (options.url !== undefined) return withAdmin(options, work);
  const { admin } = readConfig(options);
  const base = toOrigin(admin);
  const { adminContract } = await import('../../../contract/admin/index.ts');
  await withAdmin(options, async (local) => {
    if (!admin.enabled || admin.port === 0 || !(await isListening(base))) {
      throw new CommandError(`No gateway responds at ${base}. Start it, or specify its admin listener with --url.`);
    }
    const { id, key } = await local.call('createAdminKey', { name: 'command line' });
    try {
      await work(openAdminClient(adminContract, createHttpSender(base, key)));
    } catch (error) {
      if (!(error instanceof RejectedCall) || error.code !== 'invalid_api_key') throw error;
      throw new CommandError(`The gateway at ${base} uses another data folder. Specify it with --data, or the admin listener with --url.`);
    } finally {
      await local.call('revokeAdminKey', { key_id: id });
    }
  });
}

/** Returns the origin at which this machine reaches a listener. */
export function toOrigin({ host, port }: { readonly host: string; readonly port: number }): string {
  const hostname = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`;
}

const LISTENING_TIMEOUT_MS = 3_000;

/** Any response counts, because the next request checks the key. */
const isListening = (base: string): Promise<boolean> =>
  fetch(`${base}/admin/v1/status`, { redirect: 'manual', signal: AbortSignal.timeout(LISTENING_TIMEOUT_MS) }).then(
    () => true,
    () => false,
  );

async function openRemoteAdmin(url: string, { shell }: AdminOptions): Promise<AdminConnection> {
  const key = shell.env.MODELGATE_ADMIN_KEY;
  if (!key) {
    throw new CommandError("Set MODELGATE_ADMIN_KEY to an admin key. Create one on the gateway's machine: modelgate admin-key create");
  }
  if (!URL.canParse(url) || !/^https?:/.test(url)) throw new CommandError('--url must be a URL such as http://127.0.0.1:8081.');
  const { adminContract } = await import('../../../contract/admin/index.ts');
  const base = url.replace(/\/+$/, '').replace(/\/admin(\/v1)?$/, '');
  return { client: openAdminClient(adminContract, createHttpSender(base, key)), close: async () => undefined };
}

/** Loads the server here, so that other commands start without it. */
async function openLocalAdmin(options: AdminOptions, makesFolder: boolean): Promise<AdminConnection> {
  const folder = getDataFolder(options);
  if (!makesFolder && !hasDatabase(folder) && !usesServerDatabase(options)) {
    throw new CommandError(`No database found in ${folder}. Start the gateway once, or specify its data folder with --data.`);
  }
  const [{ adminContract }, { openOperations }] = await Promise.all([
    import('../../../contract/admin/index.ts'),
    import('../../api/admin/operations.ts'),
  ]);
  const localOperations = await openOperations({ folder, env: options.shell.env, loadConfig: () => readConfig(options) });
  const { send, close } = await openInProcess(localOperations);
  return { client: openAdminClient(adminContract, send), close };
}

/** Whether the configuration stores the accounts in PostgreSQL. */
function usesServerDatabase(options: AdminOptions): boolean {
  try {
    return readConfig(options).database.url !== undefined;
  } catch {
    return false;
  }
}

/** Opens the gateway's admin app without a listener. It requires no admin key, because access to the data folder is enough. */
async function openInProcess({ operations, close }: OpenOperations): Promise<{ readonly send: SendRequest; close(): Promise<void> }> {
  const { openAdminApp } = await import('../../api/admin/app.ts');
  let cause: unknown;
  const app = await openAdminApp(operations, {
    identify: async () => ({ actor: 'cli', session: null, role: 'admin' }),
    onFault: (_, error) => (cause = error.cause),
  });
  return {
    async send({ method, path, body }) {
      const headers = body === undefined ? {} : { 'content-type': 'application/json' };
      const { statusCode, payload } = await app.inject({ method, url: path, headers, ...(body !== undefined && { payload: body }) });
      // Throws the error that a gateway would log, so that the operator sees it.
      if (statusCode >= 500 && cause !== undefined) throw cause;
      return { status: statusCode, text: payload };
    },
    async close() {
      await app.close();
      await close();
    },
  };
}

const listCommands: Readonly<Record<string, string>> = {
  account: 'account list',
  account_id: 'account list',
  key_id: 'key list',
  session_id: 'session list',
  group: 'group list',
};

/** Adds the command that lists the valid IDs or names. */
function addListHint(rejection: RejectedCall, options: AdminOptions): CommandError {
  const listCommand = listCommands[rejection.param ?? ''];
  if (rejection.code !== 'not_found' || listCommand === undefined)
    return new CommandError(renameToOptions(rejection.message, rejection.param));
  const location = options.url === undefined ? formatDataOption(getDataFolder(options), options.shell.folder) : ` --url ${options.url}`;
  return new CommandError(`${rejection.message} See: modelgate ${listCommand}${location}`);
}

const optionNames: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(keyOptions).map(([field, [flags]]) => [field, flags.replace(/ .*/, '')])),
  ...Object.fromEntries([...Object.keys(rateNames), 'long_context'].map((name) => [`prices.${name}`, `--${name.replaceAll('_', '-')}`])),
  'prices.service_tiers': '--service-tier',
  'prices.tools': '--tool',
  'prices.images': '--image',
  'self_service.max_keys': '--max-self-service-keys',
  'self_service.delegate': '--delegate',
  expires_at: '--expires',
  overlap_seconds: '--overlap',
  opening_balance: '--opening-balance',
  alert_below: '--alert-below',
  snooze_seconds: '--snooze',
  transfer_id: '--transfer-id',
  note: '--note',
  kind: '--kind',
  amount: '<dollars>',
  plan: '<plan>',
  starts_at: '--starts',
  ends_at: '--ends',
  price_list: '--list',
  group: '--group',
  operation: '--operation',
  limit: '--limit',
  after: '--after',
  from: '--from',
  bucket: '--bucket',
};

/** Replaces the field in the message with the option. */
function renameToOptions(message: string, param: string | null): string {
  const field = Object.keys(optionNames).find(
    (name) => param === name || /^[.[]/.test(param?.startsWith(name) ? param.slice(name.length) : ''),
  );
  const option = optionNames[field ?? ''];
  if (option === undefined || param === null) return message;
  const quotedParam = `'${param}'`;
  return message.includes(quotedParam) ? message.replaceAll(quotedParam, option) : `${option}: ${message}`;
}
