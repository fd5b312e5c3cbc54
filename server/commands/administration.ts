/** Shared code of commands that use the admin API: target, output, and errors. */
import { existsSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { z } from 'zod';
import type { RejectedReload } from '../../contract/admin/configuration.ts';
import type { AdminContract } from '../../contract/admin/index.ts';
import type { ErrorBody } from '../../contract/shared/error-bodies.ts';
import type { OpenOperations } from '../admin/operations.ts';
import { type Config, type LoadedConfig, loadConfigFile, locateData } from '../config/config.ts';
import { problemLine } from '../config/document.ts';
import type { Flags } from '../config/overrides.ts';
import { hasDatabase } from '../storage/sqlite/database.ts';
import { CommandError, EXIT_CODE_HELP, type ShellOptions } from './serving.ts';

export interface LocationOptions extends ShellOptions {
  readonly config?: string;
  readonly data?: string;
}

/** The file that is read when neither --config nor MODELGATE_CONFIG names one. */
const USUAL_FILE = 'modelgate.yaml';

export const LOCATION_HELP = `
Environment:
  MODELGATE_CONFIG  same as --config
  MODELGATE_DATA    same as --data`;

export function withConfigOption(command: Command): Command {
  return command.option('-c, --config <file>', `configuration file (default: ${USUAL_FILE} if it exists)`);
}

export function withDataOption(command: Command): Command {
  return command.option('-d, --data <folder>', 'data folder (default: ./data)');
}

type ServeFlags = LocationOptions & Pick<Flags, 'host' | 'port' | 'workers' | 'override' | 'tape'>;

export const readConfig = (options: ServeFlags): Config => readConfigFile(options).config;

/** `file` wins over the options and the working directory. */
export function readConfigFile(options: ServeFlags, file: string | null = null): LoadedConfig {
  const flags = flagsOf(options);
  const { host, port, workers, override, tape } = options;
  return loadConfigFile({ ...flags, file: file ?? flags.file, host, port, workers, override, tape }, options.shell.env);
}

export function findData(options: LocationOptions): string {
  return locateData(flagsOf(options), options.shell.env);
}

/** The option that makes a command in this working directory find the same folder; empty when the default does. */
export function dataHint(folder: string, workingFolder: string): string {
  return folder === resolve(workingFolder, 'data')
    ? ''
    : ` --data ${/^[\w./@+-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", `'\\''`)}'`}`;
}

function flagsOf({ config, data, shell: { env, folder } }: LocationOptions): Flags {
  const usual = !env.MODELGATE_CONFIG && existsSync(resolve(folder, USUAL_FILE)) ? USUAL_FILE : undefined;
  return { file: config ?? usual, data, workingFolder: folder };
}

export interface AdminOptions extends LocationOptions {
  readonly url?: string;
  readonly json?: boolean;
}

interface CommandTexts {
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
    .option('-u, --url <address>', 'admin listener of a running gateway (default: use the data folder)')
    .option('--json', 'print the response of the admin API as JSON')
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
    throw error instanceof RejectedCall ? withHint(error, options) : error;
  } finally {
    await close();
  }
}

async function openRemote(url: string, { shell }: AdminOptions): Promise<Place> {
  const key = shell.env.MODELGATE_ADMIN_KEY;
  if (!key) {
    throw new CommandError("Set MODELGATE_ADMIN_KEY to an admin key. Create one on the gateway's machine: modelgate admin-key create");
  }
  if (!URL.canParse(url) || !/^https?:/.test(url)) throw new CommandError('--url must be a URL such as http://127.0.0.1:8081.');
  const { adminContract } = await import('../../contract/admin/index.ts');
  const base = url.replace(/\/+$/, '').replace(/\/admin(\/v1)?$/, '');
  return { client: openClient(adminContract, sendOver(base, key)), close: async () => undefined };
}

/** Loaded here, so that other commands start without loading the server. */
async function openLocal(options: AdminOptions, makesFolder: boolean): Promise<Place> {
  const folder = findData(options);
  if (!makesFolder && !hasDatabase(folder) && !namesServer(options)) {
    throw new CommandError(`No database found in ${folder}. Start the gateway once, or specify its data folder with --data.`);
  }
  const [{ adminContract }, { openOperations }] = await Promise.all([
    import('../../contract/admin/index.ts'),
    import('../admin/operations.ts'),
  ]);
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
function withHint(refusal: RejectedCall, options: AdminOptions): CommandError {
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
const MAX_PAGE = 1000;

/** All pages of a list as one. */
export async function callAll<N extends ListName>(client: AdminClient, name: N, input: Input<N>): Promise<Output<N>> {
  const data: unknown[] = [];
  let after: string | undefined;
  for (;;) {
    // `as`: every paged list takes these two.
    const query = { ...(input as { query?: object }).query, limit: MAX_PAGE, ...(after !== undefined && { after }) };
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

/** Formats a time for tables, to the minute in UTC. */
export const shortTime = (time: string | null): string => time?.slice(0, 16) ?? 'never';

type AdminName = keyof AdminContract;
type Part<R, K extends string, As extends string> = R extends { readonly [P in K]: infer S extends z.ZodType }
  ? { readonly [P in As]: z.input<S> }
  : unknown;
/** The input of a call: path parameters, query and body. */
export type Input<N extends AdminName> = Part<AdminContract[N], 'pathParams', 'params'> &
  Partial<Part<AdminContract[N], 'query', 'query'>> &
  Part<AdminContract[N], 'body', 'body'>;
type Output<N extends AdminName> = AdminContract[N] extends { readonly responses: { readonly 200: infer S extends z.ZodType } }
  ? z.output<S>
  : never;

export interface AdminClient {
  /** Throws RejectedCall for every answer that is not 200. */
  call<N extends AdminName>(name: N, input: Input<N>): Promise<Output<N>>;
}

/** A call that got an error of the contract. */
export class RejectedCall extends CommandError {
  readonly code: string;
  readonly param: string | null;

  constructor({ error, problems = [] }: ErrorBody & Partial<RejectedReload>) {
    const [first, ...rest] = problems.map(({ hint, ...problem }) => problemLine({ ...problem, remedy: hint }));
    // The message already has the first one.
    super(first === undefined ? error.message : [error.message, ...rest].join('\n'));
    this.code = error.code;
    this.param = error.param;
  }
}

interface Sent {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path, beginning with `/admin/v1`. */
  readonly path: string;
  readonly body: string | undefined;
}
interface Answer {
  readonly status: number;
  readonly text: string;
}
type Send = (request: Sent) => Promise<Answer>;

interface AnyInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

function openClient(contract: AdminContract, send: Send): AdminClient {
  return {
    async call(name, input) {
      // `as`: a route that a type parameter selects has lost the type that all routes share.
      const { method, path } = contract[name] as Pick<Sent, 'method' | 'path'>;
      // `as`: each route has some of these three parts, and the type of `input` has checked which.
      const { params = {}, query = {}, body } = input as AnyInput;
      const { status, text } = await send({
        method,
        path: addressOf(path, params, query),
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      const value = parseAnswer(text);
      if (status !== 200) throw isErrorBody(value) ? new RejectedCall(value) : strange(status);
      // `as`: the type that the contract declares for 200; a newer gateway may add fields.
      return value as never;
    },
  };
}

function addressOf(path: string, params: Readonly<Record<string, string>>, query: Readonly<Record<string, unknown>>): string {
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const entries = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as const]));
  return entries.length === 0 ? filled : `${filled}?${new URLSearchParams(Object.fromEntries(entries))}`;
}

function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const strange = (status: number): CommandError =>
  new CommandError(
    `The response was ${status} ${STATUS_CODES[status] ?? ''} and didn't come from a Modelgate admin API. Check that this is the address of the admin listener.`,
  );

function isErrorBody(value: unknown): value is ErrorBody {
  if (typeof value !== 'object' || value === null || !('error' in value)) return false;
  const { error } = value;
  return typeof error === 'object' && error !== null && 'message' in error && 'code' in error;
}

/** To the admin listener of a running gateway. */
function sendOver(base: string, key: string): Send {
  return async ({ method, path, body }) => {
    const headers = { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) };
    try {
      const answer = await fetch(`${base}${path}`, { method, headers, redirect: 'error', ...(body !== undefined && { body }) });
      return { status: answer.status, text: await answer.text() };
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
      throw new CommandError(`Can't reach ${base}: ${cause}. Specify the address of the admin listener, such as http://127.0.0.1:8081.`);
    }
  };
}

const names: Readonly<Record<string, string>> = {
  'permissions.operations': '--operations',
  'permissions.models': '--models',
  'permissions.may_store': '--may-store',
  'permissions.manage_keys': '--manage-keys',
  'self_service.max_keys': '--made-keys',
  'self_service.delegate': '--delegate',
  ip_ranges: '--from',
  spending_cap: '--cap',
  expires_at: '--expires',
  overlap_seconds: '--overlap',
  'limits.requests_per_minute': '--requests-per-minute',
  'limits.tokens_per_minute': '--tokens-per-minute',
  'limits.concurrency': '--concurrency',
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
  'prices.input': '--input',
  'prices.cached_input': '--cached-input',
  'prices.cache_write_1h': '--cache-write-1h',
  'prices.cache_write_12h': '--cache-write-12h',
  'prices.cache_write': '--cache-write',
  'prices.output': '--output',
  'prices.tools': '--tool',
  'prices.images': '--image',
  group: '--group',
  operation: '--operation',
  limit: '--limit',
  after: '--after',
};

/** The message with the option instead of the field. */
function inOptions(message: string, param: string | null): string {
  const field = Object.keys(names).find((name) => param === name || /^[.[]/.test(param?.startsWith(name) ? param.slice(name.length) : ''));
  const option = names[field ?? ''];
  if (option === undefined || param === null) return message;
  const quoted = `'${param}'`;
  return message.includes(quoted) ? message.replaceAll(quoted, option) : `${option}: ${message}`;
}

export function formatTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [headings, ...rows];
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const formatLine = (line: readonly string[]): string =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return `${lines.map(formatLine).join('\n')}\n`;
}
