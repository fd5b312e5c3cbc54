/** What all commands on the operators' API share: their target, their output, and their errors. */
import type { Command } from 'commander';
import type { OpenOperations } from '../admin/open.ts';
import { hasDatabase } from '../storage/sqlite/database.ts';
import { type AdminClient, type AdminName, type Input, type Output, openClient, RefusedCall, type Send, sendOver } from './admin-client.ts';
import { CommandError, EXIT_CODE_HELP } from './failure.ts';
import { dataHint, findData, LOCATION_HELP, type LocationOptions, readConfig, withConfigOption, withDataOption } from './location.ts';
import { inOptions } from './option-names.ts';

export interface AdminOptions extends LocationOptions {
  readonly url?: string;
  readonly json?: boolean;
}

export interface CommandTexts {
  readonly description: string;
  /** Command lines to copy. */
  readonly examples: readonly string[];
  /** Whether it is what its parent does without the name of a subcommand. */
  readonly isDefault?: boolean;
}

/** Adds a subcommand with the shared options. */
export function addAdminCommand(parent: Command, usage: string, { description, examples, isDefault = false }: CommandTexts): Command {
  return withDataOption(withConfigOption(parent.command(usage, { isDefault })))
    .description(description)
    .option('-u, --url <address>', 'admin listener of a running gateway (default: work on the data folder)')
    .option('--json', 'for scripts: print the answer of the admin API')
    .addHelpText('after', `\nExamples:\n${examples.map((line) => `  ${line}\n`).join('')}${adminHelp}\n${EXIT_CODE_HELP}`);
}

/** Adds a command that has subcommands only. */
export function addGroup(program: Command, name: string, description: string): Command {
  return program.command(name).description(description).addHelpText('after', EXIT_CODE_HELP);
}

const adminHelp = `${LOCATION_HELP}
  MODELGATE_ADMIN_KEY  key of an operator, for --url`;

interface Place {
  readonly client: AdminClient;
  close(): Promise<void>;
}

/** `makesFolder`: for commands that may run before the first start of the gateway. */
export async function withAdmin(
  options: AdminOptions,
  work: (client: AdminClient) => Promise<void>,
  { makesFolder = false }: { readonly makesFolder?: boolean } = {},
): Promise<void> {
  const { client, close } = options.url === undefined ? await openLocal(options, makesFolder) : await openRemote(options.url, options);
  try {
    await work(client);
  } catch (error) {
    throw error instanceof RefusedCall ? withHint(error, options) : error;
  } finally {
    await close();
  }
}

async function openRemote(url: string, { shell }: AdminOptions): Promise<Place> {
  const key = shell.env.MODELGATE_ADMIN_KEY;
  if (!key) {
    throw new CommandError(
      'Set MODELGATE_ADMIN_KEY to a key of an operator. Create one on the machine of the gateway: modelgate admin-key create',
    );
  }
  if (!URL.canParse(url) || !/^https?:/.test(url)) throw new CommandError('--url must be an address such as http://127.0.0.1:8081.');
  const { adminContract } = await import('../../contract/admin.ts');
  const base = url.replace(/\/+$/, '').replace(/\/admin(\/v1)?$/, '');
  return { client: openClient(adminContract, sendOver(base, key)), close: async () => undefined };
}

/** Loaded here, so that other commands start without loading the server. */
async function openLocal(options: AdminOptions, makesFolder: boolean): Promise<Place> {
  const folder = findData(options);
  if (!makesFolder && !hasDatabase(folder) && !namesServer(options)) {
    throw new CommandError(`There is no database in ${folder}. Start the gateway once, or name its data folder with --data.`);
  }
  const [{ adminContract }, { openOperations }] = await Promise.all([import('../../contract/admin.ts'), import('../admin/open.ts')]);
  const opened = await openOperations({ folder, env: options.shell.env, loadConfig: () => readConfig(options) });
  const { send, close } = await openInProcess(opened);
  return { client: openClient(adminContract, send), close };
}

/** Whether the configuration puts the accounts into PostgreSQL. */
function namesServer(options: AdminOptions): boolean {
  try {
    return readConfig(options).database.url !== undefined;
  } catch {
    return false;
  }
}

/** The same app as in the gateway, without a listener. Whoever can read the data folder needs no admin key. */
async function openInProcess({ operations, close }: OpenOperations): Promise<{ readonly send: Send; close(): Promise<void> }> {
  const { openAdminApp } = await import('../admin/app.ts');
  let fault: unknown;
  const app = await openAdminApp(operations, {
    callerOf: async () => ({ actor: 'cli', session: null, role: 'admin' }),
    onFault: (_, error) => (fault = error.cause),
  });
  return {
    async send({ method, path, body }) {
      const headers = body === undefined ? {} : { 'content-type': 'application/json' };
      const { statusCode, payload } = await app.inject({ method, url: path, headers, ...(body !== undefined && { payload: body }) });
      // The person at the terminal needs to see what a gateway would log.
      if (statusCode >= 500 && fault !== undefined) throw fault;
      return { status: statusCode, text: payload };
    },
    async close() {
      await app.close();
      await close();
    },
  };
}

const lists: Readonly<Record<string, string>> = {
  account: 'account list',
  account_id: 'account list',
  key_id: 'key list',
  session_id: 'session list',
  group: 'group list',
};

/** Names the command that lists the right ids or names. */
function withHint(refusal: RefusedCall, options: AdminOptions): CommandError {
  const list = lists[refusal.param ?? ''];
  if (refusal.code !== 'not_found' || list === undefined) return new CommandError(inOptions(refusal.message, refusal.param));
  const place = options.url === undefined ? dataHint(findData(options), options.shell.folder) : ` --url ${options.url}`;
  return new CommandError(`${refusal.message} See: modelgate ${list}${place}`);
}

/** Prints the answer of the API, for scripts, or a text for people. */
export function print({ json = false, shell }: AdminOptions, answer: unknown, text: string): void {
  shell.stdout.write(json ? `${JSON.stringify(answer, null, 2)}\n` : text);
}

interface Page {
  readonly data: readonly unknown[];
  readonly has_more: boolean;
  readonly last_id: string | null;
}
type ListName = { [N in AdminName]: Output<N> extends { object: 'list' } ? N : never }[AdminName];
const LONGEST_PAGE = 1000;

/** All pages of a list as one. */
export async function callAll<N extends ListName>(client: AdminClient, name: N, input: Input<N>): Promise<Output<N>> {
  const data: unknown[] = [];
  let after: string | undefined;
  for (;;) {
    // `as`: every paged list takes these two.
    const query = { ...(input as { query?: object }).query, limit: LONGEST_PAGE, ...(after !== undefined && { after }) };
    // `as`: every name in the union is a paged list.
    const page: Page = (await client.call(name, { ...input, query })) as Page & Output<N>;
    data.push(...page.data);
    if (!page.has_more || page.last_id === null) return { ...page, data } as unknown as Output<N>;
    after = page.last_id;
  }
}

/** Names and values in two columns. */
export function describe(rows: readonly (readonly [string, string | null | undefined])[]): string {
  const shown = rows.filter((row): row is [string, string] => typeof row[1] === 'string');
  const width = Math.max(...shown.map(([name]) => name.length)) + 2;
  return shown.map(([name, value]) => `${`${name}:`.padEnd(width)}${value}\n`).join('');
}

/** For tables: day and minute, by UTC. */
export const shortTime = (time: string | null): string => time?.slice(0, 16) ?? 'never';
