/** `modelgate account …`: who owns keys and money. */
import { type Command, Option } from 'commander';
import type { Account } from '../../contract/admin/accounts.ts';
import { type StatementEntry, type Subscription, statementKinds } from '../../contract/admin/money.ts';
import { describeLostGroup, findLostGroups } from '../access/permissions.ts';
import {
  type AdminClient,
  type AdminOptions,
  addAdminCommand,
  addGroup,
  callAll,
  describe,
  formatTable,
  print,
  shortTime,
  withAdmin,
} from './administration.ts';
import {
  type LimitOptions,
  limitRows,
  limitsFrom,
  parseCount,
  parseDollars,
  parseMoment,
  parseName,
  parseYesNo,
  rejectEmptyChange,
  type Said,
  withLimitOptions,
} from './settings.ts';

export function addAccount(program: Command): void {
  const account = addGroup(program, 'account', 'create, list, edit, and top up accounts');
  addCreate(account);
  addAccountList(account);
  addShow(account);
  addEdit(account);
  addTopUp(account);
  addEntries(account);
}

const stateOf = ({ suspended }: Account): string => (suspended ? 'suspended' : 'active');

const NEVER = '0.000000';
const thresholdOf = ({ alert_below: amount }: Account): string => (amount === NEVER ? 'never' : (amount ?? 'as configured'));

function describeAccount(account: Account): string {
  const { id, name, group, balance, limits, self_service: own, created_at: created } = account;
  return describe([
    ['Account', id],
    ['Name', name],
    ['Group', group],
    ['State', stateOf(account)],
    ['Balance', balance?.balance],
    ['Held', balance?.held],
    ['Available', balance?.available],
    ['Spent, 30 days', account.charged_30d],
    ['Alert below', thresholdOf(account)],
    ...limitRows(limits),
    ['Self-service keys', `${own.max_keys} at most${own.delegate ? ', which can create others' : ''}`],
    ['Created', shortTime(created)],
  ]);
}

interface CreateOptions extends AdminOptions, LimitOptions {
  readonly group?: string;
  readonly openingBalance?: string;
  readonly alertBelow?: Said<string>;
}

const parseThreshold = (text: string): Said<string> => ({ value: text === 'default' ? null : parseDollars(text) });
const alertBelow = ['--alert-below <dollars>', 'alert when the balance is below this; 0 for never, or default', parseThreshold] as const;

function addCreate(account: Command): void {
  const command = addAdminCommand(account, 'create', {
    description: 'create an account',
    examples: ['modelgate account create research', 'modelgate account create acme --group vip --opening-balance 25'],
  });
  withLimitOptions(command)
    .argument('<name>', 'a unique name', parseName)
    .option('-g, --group <group>', 'configured group (default: default)')
    .option('-b, --opening-balance <dollars>', 'opening balance', parseDollars)
    .option(...alertBelow)
    .action(async (name: string, options: CreateOptions) => {
      const { group, openingBalance, alertBelow: below, ...rest } = options;
      const body = { name, group, opening_balance: openingBalance, limits: limitsFrom(rest), alert_below: below?.value };
      await withAdmin(
        options,
        async (client) => {
          const made = await client.call('createAccount', { body });
          print(options, made, describeAccount(made));
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

function addAccountList(account: Command): void {
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
        const list = await callAll(client, 'listAccounts', { query: { q, state, group } });
        const none = 'No accounts yet. Create one: modelgate account create <name>\n';
        print(options, list, list.data.length === 0 ? none : formatTable(listHeadings, list.data.map(listRow)));
        await warnOfLostGroups(client, list.data, options);
      });
    });
}

/** On stderr, because scripts read the list from stdout. */
async function warnOfLostGroups(client: AdminClient, accounts: readonly Account[], { shell }: AdminOptions): Promise<void> {
  // When the configuration cannot be read, its groups are unknown; list the accounts anyway.
  const groups = await client.call('listGroups', {}).catch(() => undefined);
  if (!groups) return;
  const names = groups.data.map(({ name }) => name);
  for (const lost of findLostGroups(accounts, names)) shell.stderr.write(`modelgate: ${describeLostGroup(lost)}\n`);
}

const listHeadings = ['ID', 'NAME', 'GROUP', 'STATE', 'BALANCE', 'HELD', 'CREATED'];
const listRow = (account: Account): string[] => [
  account.id,
  account.name,
  account.group,
  stateOf(account),
  account.balance?.balance ?? '-',
  account.balance?.held ?? '-',
  account.created_at.slice(0, 10),
];

function addShow(account: Command): void {
  addAdminCommand(account, 'show <account>', {
    description: 'show an account, by ID or name',
    examples: ['modelgate account show research'],
  }).action(async (name: string, options: AdminOptions) => {
    await withAdmin(options, async (client) => {
      const found = await client.call('getAccount', { params: { account_id: name } });
      print(options, found, describeAccount(found));
    });
  });
}

interface EditOptions extends AdminOptions, LimitOptions {
  readonly name?: string;
  readonly group?: string;
  readonly suspend?: boolean;
  readonly resume?: boolean;
  readonly madeKeys?: number;
  readonly delegate?: boolean;
  readonly alertBelow?: Said<string>;
}

function selfServiceFrom({ madeKeys, delegate }: EditOptions) {
  if (madeKeys === undefined && delegate === undefined) return {};
  return { self_service: { max_keys: madeKeys, delegate } };
}

function addEdit(account: Command): void {
  const command = addAdminCommand(account, 'edit <account>', {
    description: 'rename an account, move it to a group, suspend it, or set its limits; only the given options change',
    examples: [
      'modelgate account edit research --group vip',
      'modelgate account edit research --suspend',
      'modelgate account edit research --requests-per-minute 600 --concurrency observe:20',
    ],
  });
  withLimitOptions(command)
    .option('-n, --name <name>', 'new name', parseName)
    .option('-g, --group <group>', 'configured group')
    .addOption(new Option('--suspend', 'reject all of its keys').conflicts('resume'))
    .option('--resume', 'accept its keys again')
    .option('--made-keys <number>', 'maximum number of keys that key owners can create', parseCount)
    .option('--delegate <yes|no>', 'whether keys that manage keys can create others that do', parseYesNo)
    .option(...alertBelow)
    .action(async (account: string, options: EditOptions) => {
      await withAdmin(options, async (client) => {
        const params = { account_id: account };
        const before = await client.call('getAccount', { params });
        const suspended = options.suspend ? true : options.resume ? false : undefined;
        const body = {
          name: options.name,
          group: options.group,
          suspended,
          limits: limitsFrom(options, before.limits),
          ...selfServiceFrom(options),
          alert_below: options.alertBelow?.value,
        };
        rejectEmptyChange(body, 'account edit');
        const edited = await client.call('editAccount', { params: { account_id: before.id }, body });
        print(options, edited, describeAccount(edited));
      });
    });
}

interface TopUpOptions extends AdminOptions {
  readonly note?: string;
  readonly transferId?: string;
  readonly kind: 'top_up' | 'refund' | 'correction';
}

function addTopUp(account: Command): void {
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
        const moved = await client.call('adjustBalance', { params: { account_id: account }, body });
        const what = moved.repeated ? 'was already posted; nothing changed' : 'was posted';
        print(options, moved, `${moved.transfer_id} ${what}. Balance: ${moved.balance.balance}, available: ${moved.balance.available}.\n`);
      });
    });
}

export function addSubscription(program: Command): void {
  const subscription = addGroup(program, 'subscription', 'add, list, and cancel subscriptions of accounts');
  addAdd(subscription);
  addSubscriptionList(subscription);
  addCancel(subscription);
}

interface AddOptions extends AdminOptions {
  readonly starts?: string;
  readonly ends?: string;
}

function addAdd(subscription: Command): void {
  addAdminCommand(subscription, 'add <account> <plan>', {
    description: 'subscribe an account to a configured plan',
    examples: ['modelgate subscription add research pro', 'modelgate subscription add research pro --starts 2027-01-01 --ends 2028-01-01'],
  })
    .option('--starts <time>', 'date or time (default: now)', parseMoment)
    .option('--ends <time>', "date or time (default: until it's canceled)", parseMoment)
    .action(async (account: string, plan: string, options: AddOptions) => {
      const body = { plan, starts_at: options.starts, ends_at: options.ends };
      await withAdmin(options, async (client) => {
        const made = await client.call('createSubscription', { params: { account_id: account }, body });
        print(options, made, formatTable(subscriptionHeadings, [row(made)]));
      });
    });
}

const subscriptionHeadings = ['ID', 'PLAN', 'STATE', 'INCLUDED', 'PERIOD', 'THEN', 'STARTS', 'ENDS'];

function row(one: Subscription): string[] {
  const ends = one.cancelled_at ?? one.ends_at;
  return [one.id, one.plan, one.state, one.included, one.period, one.on_exhaustion, shortTime(one.starts_at), shortTime(ends)];
}

function addSubscriptionList(subscription: Command): void {
  addAdminCommand(subscription, 'list <account>', {
    description: 'list the subscriptions of an account',
    examples: ['modelgate subscription list research'],
  }).action(async (account: string, options: AdminOptions) => {
    await withAdmin(options, async (client) => {
      const list = await client.call('listSubscriptions', { params: { account_id: account } });
      print(options, list, list.data.length === 0 ? 'No subscriptions.\n' : formatTable(subscriptionHeadings, list.data.map(row)));
    });
  });
}

function addCancel(subscription: Command): void {
  addAdminCommand(subscription, 'cancel <id>', {
    description: 'cancel a subscription immediately',
    examples: ['modelgate subscription cancel sub_6f1d2c3b4a5948378695a4b3c2d1e0f9'],
  }).action(async (id: string, options: AdminOptions) => {
    await withAdmin(options, async (client) => {
      const cancelled = await client.call('cancelSubscription', { params: { subscription_id: id } });
      print(options, cancelled, `${id} is cancelled.\n`);
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

function addEntries(account: Command): void {
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
    .action((name: string, options: EntriesOptions) => withAdmin(options, (client) => list(client, name, options)));
}

type Client = Parameters<Parameters<typeof withAdmin>[1]>[0];

async function list(client: Client, account: string, options: EntriesOptions): Promise<void> {
  const { from, to, kind, limit, after } = options;
  const params = { account_id: account };
  const query = { from, to, kind };
  if (options.csv) {
    const { csvLine, entryHeadings, entryLine } = await import('../admin/csv.ts');
    const { data } = await callAll(client, 'listEntries', { params, query });
    return void options.shell.stdout.write([csvLine(entryHeadings), ...data.map(entryLine)].join(''));
  }
  const page = await client.call('listEntries', { params, query: { ...query, limit, after } });
  const more = page.has_more ? `More: --after ${page.last_id}\n` : '';
  print(options, page, page.data.length === 0 ? 'No entries.\n' : formatTable(entryHeadings, page.data.map(lineOf)) + more);
}

const entryHeadings = ['ID', 'TIME', 'KIND', 'AMOUNT', 'BALANCE', 'REQUEST OR TRANSFER', 'NOTE'];
const lineOf = (entry: StatementEntry): string[] => [
  entry.id,
  entry.at.slice(0, 19),
  entry.kind,
  entry.amount,
  entry.balance_after,
  entry.request_id ?? entry.transfer_id ?? '',
  entry.note ?? '',
];
