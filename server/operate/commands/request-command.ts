/** Adds a command that sends one request to the admin API: its arguments and options set the fields, and it prints the response. */

import { type Command, Option } from 'commander';
import { type AdminClient, type AdminName, type Input, listAllPages, type Output } from './admin-client.ts';
import { type AdminOptions, addAdminCommand, type CommandTexts, withAdmin, withRunningGateway } from './admin-command.ts';
import { ReportedError } from './command-error.ts';
import { parseCount } from './option-values.ts';
import { formatTable, printResult } from './print-result.ts';
import type { Shell } from './shell.ts';

/** Flags, description, how to parse the value or which values to accept, and the default. Or two options that exclude each other. */
type FieldOption =
  | readonly [flags: string, description: string, parse?: ((text: string) => unknown) | readonly string[], defaultValue?: unknown]
  | readonly [Option, Option?];

/** Options by the field that they set. `limits.concurrency` is a field of the object `limits`. */
export type FieldOptions = Readonly<Record<string, FieldOption>>;

/** Headings with the field to print in that column, or how to format it. A field that is null prints as `-`. */
type Columns<Row> = Readonly<Record<string, (keyof Row & string) | ((row: Row) => string)>>;

interface RequestCommand<N extends AdminName> extends CommandTexts {
  /** The operation of the admin API. */
  readonly operation: N;
  /** The fields that the arguments set, in their order. */
  readonly arguments?: readonly (keyof Input<N>)[];
  readonly options?: { readonly [Field in keyof Input<N> | `${string}.${string}`]?: FieldOption };
  /** Replaces the request, for commands that send more than one. */
  readonly send?: (client: AdminClient, fields: Input<N>) => Promise<Output<N>>;
  /** Whether to fetch all pages of a list. */
  readonly allPages?: boolean;
  /** Columns of a list, or the text of a response. */
  readonly print: Columns<RowOf<N>> | ((response: Output<N>, fields: Input<N>) => string);
  /** Printed in place of a list without rows. */
  readonly emptyText?: string;
  /** Adds --csv, for which all pages of a list are fetched. */
  readonly csv?: { readonly description: string; readonly format: (response: Output<N>) => Promise<string> };
  /** Printed on stderr, unless the output is JSON. */
  readonly note?: (response: Output<N>) => string;
  /** Runs after the response is printed. */
  readonly warn?: (client: AdminClient, response: Output<N>, fields: Input<N>, shell: Shell) => Promise<void>;
  /** Whether the response means that the command failed. */
  readonly isFailed?: (response: Output<N>) => boolean;
  readonly needsRunningGateway?: boolean;
  /** Whether the command may run before the gateway's first start. */
  readonly makesFolder?: boolean;
}

type RowOf<N extends AdminName> = Output<N> extends { readonly data: readonly (infer Row)[] } ? Row : never;

interface RequestOptions extends AdminOptions {
  readonly csv?: boolean;
}

export function addRequestCommand<N extends AdminName>(parent: Command, usage: string, request: RequestCommand<N>): Command {
  const command = addAdminCommand(parent, usage, request);
  // `as`: the keys of a mapped type over a type parameter are unknown here.
  const readFields = addFieldOptions(command, (request.options ?? {}) as FieldOptions);
  if (request.csv) command.option('--csv', request.csv.description);
  return command.action(async (...words: unknown[]) => {
    const argumentFields = (request.arguments ?? []).map((name, index) => [name, words[index]] as const);
    // `as`: the names are fields of this operation. The API checks the values.
    const fields = { ...Object.fromEntries(argumentFields), ...readFields() } as Input<N>;
    const options = command.opts<RequestOptions>();
    const run = (client: AdminClient): Promise<void> => runRequest(client, request, fields, options);
    await (request.needsRunningGateway ? withRunningGateway(options, run) : withAdmin(options, run, request));
  });
}

/** Adds options, and returns a function that reads the fields that they set. */
export function addFieldOptions(command: Command, fieldOptions: FieldOptions): () => Record<string, unknown> {
  const options = Object.entries(fieldOptions).flatMap(([field, fieldOption]) =>
    createOptions(fieldOption).map((option) => ({ field, option })),
  );
  for (const { option } of options) command.addOption(option);
  return () => {
    const fields: Record<string, unknown> = {};
    for (const { field, option } of options) setField(fields, field, command.getOptionValue(option.attributeName()));
    return fields;
  };
}

function createOptions([first, second, parse, defaultValue]: FieldOption): readonly Option[] {
  if (typeof first !== 'string' || typeof second !== 'string') return [first, second].filter((one) => one instanceof Option);
  const option = new Option(first, second).default(defaultValue);
  if (typeof parse === 'function') option.argParser(parse);
  else if (parse) option.choices(parse);
  return [option];
}

function setField(fields: Record<string, unknown>, name: string, option: unknown): void {
  if (option === undefined) return;
  const value = typeof option === 'object' && option !== null && 'value' in option ? option.value : option;
  const [field = '', nested] = name.split('.');
  fields[field] = nested === undefined ? value : { ...Object(fields[field]), [nested]: value };
}

async function runRequest<N extends AdminName>(
  client: AdminClient,
  { operation, send, csv, ...request }: RequestCommand<N>,
  fields: Input<N>,
  options: RequestOptions,
): Promise<void> {
  const isPaged = 'after' in (request.options ?? {});
  const needsAllPages = request.allPages || (options.csv && isPaged);
  const call = (): Promise<Output<N>> => (needsAllPages ? listAllPages(client, operation, fields) : client.call(operation, fields));
  const response = await (send ? send(client, fields) : call());
  const { print, emptyText } = request;
  if (options.csv && csv) options.shell.stdout.write(await csv.format(response));
  else
    printResult(
      options,
      response,
      // `as`: only lists have columns.
      typeof print === 'function' ? print(response, fields) : formatList(response as List<RowOf<N>>, print, { isPaged, emptyText }),
    );
  if (request.note && !options.json) options.shell.stderr.write(request.note(response));
  await request.warn?.(client, response, fields, options.shell);
  if (request.isFailed?.(response)) throw new ReportedError();
}

interface List<Row> {
  readonly data: readonly Row[];
  readonly has_more: boolean;
  readonly last_id: string | null;
}

function formatList<Row>(
  { data, has_more: hasMore, last_id: lastId }: List<Row>,
  columns: Columns<Row>,
  { isPaged, emptyText }: { readonly isPaged: boolean; readonly emptyText: string | undefined },
): string {
  if (data.length === 0 && emptyText !== undefined) return emptyText;
  return formatColumns(columns, data) + (isPaged && hasMore ? `More: --after ${lastId}\n` : '');
}

export function formatColumns<Row>(columns: Columns<Row>, rows: readonly Row[]): string {
  const toCell = (row: Row, column: Columns<Row>[string]): string =>
    typeof column === 'function' ? column(row) : String(row[column] ?? '-');
  return formatTable(
    Object.keys(columns),
    rows.map((row) => Object.values(columns).map((column) => toCell(row, column))),
  );
}

/** The options of a list with one page per command. */
export const createPageOptions = (noun: string, entry: string) =>
  ({
    limit: ['--limit <number>', `maximum number of ${noun}`, parseCount, 100],
    after: ['--after <id>', `continue after this ${entry}`],
  }) as const;
