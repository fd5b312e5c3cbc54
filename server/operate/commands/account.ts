/** `modelgate account …`: manages accounts, which own keys and money. */
import { type Command, Option } from 'commander';
import type { Account } from '../../../contract/admin/accounts.ts';
import { type StatementEntry, statementKinds } from '../../../contract/admin/money.ts';
import { describeUnknownGroup, findUnknownGroups } from '../../access/unknown-groups.ts';
import { type AdminClient, listAllPages } from './admin-client.ts';
import { type AdminOptions, addAdminCommand, addCommandGroup, withAdmin } from './admin-command.ts';
import { addLimitOptions, type LimitOptions, toLimitRows, toLimitsInput } from './limit-options.ts';
import { type OptionValue, parseCount, parseDollars, parseName, parseYesNo, rejectEmptyChange } from './option-values.ts';
import { parseMoment } from './parse-time.ts';
import { formatRows, formatShortTime, formatTable, printResult } from './print-result.ts';

export function addAccountCommands(program: Command): void {
  const account = addCommandGroup(program, 'account', 'create, list, edit, and top up accounts');
  addCreateCommand(account);
  addListCommand(account);
  addShowCommand(account);
  addEditCommand(account);
  addTopUpCommand(account);
  addEntriesCommand(account);
}

const getState = ({ suspended }: Account): string => (suspended ? 'suspended' : 'active');

const ZERO_DOLLARS = '0.000000';
const formatThreshold = ({ alert_below: amount }: Account): string => (amount === ZERO_DOLLARS ? 'never' : (amount ?? 'as configured'));

function describeAccount(account: Account): string {
  const { id, name, group, balance, limits, self_service: selfService, created_at: created } = account;
  return formatRows([
    ['Account', id],
    ['Name', name],
    ['Group', group],
    ['State', getState(account)],
    ['Balance', balance?.balance],
    ['Held', balance?.held],
    ['Available', balance?.available],
    ['Spent, 30 days', account.charged_30d],
    ['Alert below', formatThreshold(account)],
    ...toLimitRows(limits),
    ['Self-service keys', `${selfService.max_keys} at most${selfService.delegate ? ', which can create others' : ''}`],
    ['Created', formatShortTime(created)],
  ]);
}

interface CreateOptions extends AdminOptions, LimitOptions {
  readonly group?: string;
  readonly openingBalance?: string;
  readonly alertBelow?: OptionValue<string>;
}

const parseThreshold = (text: string): OptionValue<string> => ({ value: text === 'default' ? null : parseDollars(text) });
const alertBelowOption = [
  '--alert-below <dollars>',
  'alert when the balance is below this; 0 for never, or default',
  parseThreshold,
] as const;

function addCreateCommand(account: Command): void {
  const command = addAdminCommand(account, 'create', {
    description: 'create an account',
    examples: ['modelgate account create research', 'modelgate account create acme --group vip --opening-balance 25'],
  });
  addLimitOptions(command)
    .argument('<name>', 'a unique name', parseName)
    .option('-g, --group <group>', 'configured group (default: default)')
    .option('-b, --opening-balance <dollars>', 'opening balance', parseDollars)
    .option(...alertBelowOption)
    .action(async (name: string, options: CreateOptions) => {
      const { group, openingBalance, alertBelow: threshold, ...limitOptions } = options;
      const body = { name, group, opening_balance: openingBalance, limits: toLimitsInput(limitOptions), alert_below: threshold?.value };
      await withAdmin(
        options,
        async (client) => {
          const newAccount = await client.call('createAccount', { body });
          printResult(options, newAccount, describeAccount(newAccount));
        },
        { makesFolder: true },
      );
    });
}

interface ListOptions extends AdminOptions {
  readonly query?: string;
  readonly state?: 'active' | 'suspended';
  readonly group?: string;
}

function addListCommand(account: Command): void {
  addAdminCommand(account, 'list', {
    description: 'list all accounts with their balances',
    examples: ['modelgate account list', 'modelgate account list --group vip --state suspended --json'],
  })
    .option('-q, --query <text>', 'only accounts whose name contains this, or whose ID starts with it')
    .addOption(new Option('--state <state>', 'only accounts in this state').choices(['active', 'suspended']))
    .option('--group <group>', 'only accounts in this group')
    .action(async (options: ListOptions) => {
      const { query: q, state, group } = options;
      await withAdmin(options, async (client) => {
        const list = await listAllPages(client, 'listAccounts', { query: { q, state, group } });
        const emptyText = 'No accounts yet. Create one: modelgate account create <name>\n';
        printResult(options, list, list.data.length === 0 ? emptyText : formatTable(listHeadings, list.data.map(toListRow)));
        await warnAboutUnknownGroups(client, list.data, options);
      });
    });
}

/** Warns on stderr, because scripts read the list from stdout. */
async function warnAboutUnknownGroups(client: AdminClient, accounts: readonly Account[], { shell }: AdminOptions): Promise<void> {
  // If the configuration can't be read, its groups are unknown, but the accounts are still listed.
  const groups = await client.call('listGroups', {}).catch(() => undefined);
  if (!groups) return;
  const names = groups.data.map(({ name }) => name);
  for (const unknownGroup of findUnknownGroups(accounts, names)) shell.stderr.write(`modelgate: ${describeUnknownGroup(unknownGroup)}\n`);
}

const listHeadings = ['ID', 'NAME', 'GROUP', 'STATE', 'BALANCE', 'HELD', 'CREATED'];
const toListRow = (account: Account): string[] => [
  account.id,
  account.name,
  account.group,
  getState(account),
  account.balance?.balance ?? '-',
  account.balance?.held ?? '-',
  account.created_at.slice(0, 10),
];

function addShowCommand(account: Command): void {
  addAdminCommand(account, 'show <account>', {
    description: 'show an account, by ID or name',
    examples: ['modelgate account show research'],
  }).action(async (name: string, options: AdminOptions) => {
    await withAdmin(options, async (client) => {
      const result = await client.call('getAccount', { params: { account_id: name } });
      printResult(options, result, describeAccount(result));
    });
  });
}

interface EditOptions extends AdminOptions, LimitOptions {
  readonly name?: string;
  readonly group?: string;
  readonly suspend?: boolean;
  readonly resume?: boolean;
  readonly maxSelfServiceKeys?: number;
  readonly delegate?: boolean;
  readonly alertBelow?: OptionValue<string>;
}

function toSelfService({ maxSelfServiceKeys, delegate }: EditOptions) {
  if (maxSelfServiceKeys === undefined && delegate === undefined) return {};
  return { self_service: { max_keys: maxSelfServiceKeys, delegate } };
}

function addEditCommand(account: Command): void {
  const command = addAdminCommand(account, 'edit <account>', {
    description: 'rename an account, move it to a group, suspend it, or set its limits; only the given options change',
    examples: [
      'modelgate account edit research --group vip',
      'modelgate account edit research --suspend',
      'modelgate account edit research --requests-per-minute 600 --concurrency observe:20',
    ],
  });
  addLimitOptions(command)
    .option('-n, --name <name>', 'new name', parseName)
    .option('-g, --group <group>', 'configured group')
    .addOption(new Option('--suspend', 'reject all of its keys').conflicts('resume'))
    .option('--resume', 'accept its keys again')
    .option('--max-self-service-keys <number>', 'maximum number of keys that key owners can create', parseCount)
    .option('--delegate <yes|no>', 'whether keys that manage keys can create others that do', parseYesNo)
    .option(...alertBelowOption)
    .action(async (account: string, options: EditOptions) => {
      await withAdmin(options, async (client) => {
        const params = { account_id: account };
        const current = await client.call('getAccount', { params });
        const suspended = options.suspend ? true : options.resume ? false : undefined;
        const body = {
          name: options.name,
          group: options.group,
          suspended,
          limits: toLimitsInput(options, current.limits),
          ...toSelfService(options),
          alert_below: options.alertBelow?.value,
        };
        rejectEmptyChange(body, 'account edit');
        const updatedAccount = await client.call('editAccount', { params: { account_id: current.id }, body });
        printResult(options, updatedAccount, describeAccount(updatedAccount));
      });
    });
}

interface TopUpOptions extends AdminOptions {
  readonly note?: string;
  readonly transferId?: string;
  readonly kind: 'top_up' | 'refund' | 'correction';
}

function addTopUpCommand(account: Command): void {
  addAdminCommand(account, 'top-up', {
    description: 'add dollars to a balance; a correction can also subtract',
    examples: [
      'modelgate account top-up research 25 --note "invoice 2044" --transfer-id invoice-2044',
      'modelgate account top-up research --kind correction -- -3.50',
    ],
  })
    .argument('<account>', 'by ID or name')
    .argument('<dollars>', 'such as 10 or 12.50', parseDollars)
    .option('--note <text>', 'reason, for the ledger')
    .option('--transfer-id <id>', 'your ID for the transfer; posting the same ID again has no effect')
    .option('--kind <kind>', 'top_up, refund, or correction', 'top_up')
    .action(async (account: string, dollars: string, options: TopUpOptions) => {
      const body = { kind: options.kind, amount: dollars, note: options.note, transfer_id: options.transferId };
      await withAdmin(options, async (client) => {
        const adjustment = await client.call('adjustBalance', { params: { account_id: account }, body });
        const outcome = adjustment.repeated ? 'was already posted; nothing changed' : 'was posted';
        printResult(
          options,
          adjustment,
          `${adjustment.transfer_id} ${outcome}. Balance: ${adjustment.balance.balance}, available: ${adjustment.balance.available}.\n`,
        );
      });
    });
}

interface EntriesOptions extends AdminOptions {
  readonly from?: string;
  readonly to?: string;
  readonly kind?: StatementEntry['kind'];
  readonly limit: number;
  readonly after?: string;
  readonly csv?: boolean;
}

function addEntriesCommand(account: Command): void {
  addAdminCommand(account, 'entries <account>', {
    description: 'list the ledger entries of an account, newest first',
    examples: ['modelgate account entries research', 'modelgate account entries research --from 2027-01-01 --to 2027-02-01 --csv'],
  })
    .option('--from <time>', 'entries from this date or time', parseMoment)
    .option('--to <time>', 'entries before this date or time', parseMoment)
    .option('--kind <kind>', statementKinds.join(', '))
    .option('--limit <number>', 'maximum number of entries', parseCount, 100)
    .option('--after <id>', 'continue after this entry')
    .option('--csv', 'all entries as CSV, ignoring --limit')
    .action((name: string, options: EntriesOptions) => withAdmin(options, (client) => listEntries(client, name, options)));
}

type Client = Parameters<Parameters<typeof withAdmin>[1]>[0];

async function listEntries(client: Client, account: string, options: EntriesOptions): Promise<void> {
  const { from, to, kind, limit, after } = options;
  const params = { account_id: account };
  const query = { from, to, kind };
  if (options.csv) {
    const { formatCsvLine, entryHeadings, formatEntryLine } = await import('../../api/admin/csv.ts');
    const { data } = await listAllPages(client, 'listEntries', { params, query });
    return void options.shell.stdout.write([formatCsvLine(entryHeadings), ...data.map(formatEntryLine)].join(''));
  }
  const page = await client.call('listEntries', { params, query: { ...query, limit, after } });
  const nextPageHint = page.has_more ? `More: --after ${page.last_id}\n` : '';
  printResult(
    options,
    page,
    page.data.length === 0 ? 'No entries.\n' : formatTable(entryHeadings, page.data.map(toEntryRow)) + nextPageHint,
  );
}

const entryHeadings = ['ID', 'TIME', 'KIND', 'AMOUNT', 'BALANCE', 'REQUEST OR TRANSFER', 'NOTE'];
const toEntryRow = (entry: StatementEntry): string[] => [
  entry.id,
  entry.at.slice(0, 19),
  entry.kind,
  entry.amount,
  entry.balance_after,
  entry.request_id ?? entry.transfer_id ?? '',
  entry.note ?? '',
];
