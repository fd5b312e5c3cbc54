/** `modelgate account …`: manages accounts, which own keys and money. */
import { type Command, Option } from 'commander';
import type { Account } from '../../../contract/admin/accounts.ts';
import { statementKinds } from '../../../contract/admin/money.ts';
import { describeUnknownGroup, findUnknownGroups } from '../../access/unknown-groups.ts';
import type { AdminClient, Output } from './admin-client.ts';
import { addCommandGroup } from './admin-command.ts';
import { capOption, formatCaps } from './cap-option.ts';
import { limitOptions, toLimitRows } from './limit-options.ts';
import { type OptionValue, parseCount, parseDollars, parseName, parseYesNo, rejectEmptyChange } from './option-values.ts';
import { parseMoment } from './parse-time.ts';
import { formatRows, formatShortTime } from './print-result.ts';
import { addRequestCommand, createPageOptions } from './request-command.ts';
import type { Shell } from './shell.ts';

export function addAccountCommands(program: Command): void {
  const account = addCommandGroup(program, 'account');
  addCreateCommand(account);
  addListCommand(account);
  addRequestCommand(account, 'show <account>', {
    description: 'show an account, by ID or name',
    examples: ['modelgate account show research'],
    operation: 'getAccount',
    arguments: ['account_id'],
    print: describeAccount,
  });
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
    ['Spending caps', formatCaps(account.spending_caps)],
    ['Alert below', formatThreshold(account)],
    ...toLimitRows(limits),
    ['Self-service keys', `${selfService.max_keys} at most${selfService.delegate ? ', which can create others' : ''}`],
    ['Created', formatShortTime(created)],
  ]);
}

const parseThreshold = (text: string): OptionValue<string> => ({ value: text === 'default' ? null : parseDollars(text) });
const alertBelowOption = [
  '--alert-below <dollars>',
  'alert when the balance is below this; 0 for never; default for the configured amount',
  parseThreshold,
] as const;

function addCreateCommand(account: Command): void {
  addRequestCommand(account, 'create', {
    description: 'create an account',
    examples: ['modelgate account create research', 'modelgate account create acme --group vip --opening-balance 25'],
    makesFolder: true,
    operation: 'createAccount',
    arguments: ['name'],
    options: {
      ...limitOptions,
      group: ['-g, --group <group>', 'configured group (default: default)'],
      opening_balance: ['-b, --opening-balance <dollars>', 'opening balance', parseDollars],
      spending_caps: capOption,
      alert_below: alertBelowOption,
    },
    print: describeAccount,
  }).argument('<name>', 'a unique name', parseName);
}

function addListCommand(account: Command): void {
  addRequestCommand(account, 'list', {
    description: 'list all accounts with their balances',
    examples: ['modelgate account list', 'modelgate account list --group vip --state suspended --json'],
    operation: 'listAccounts',
    options: {
      q: ['-q, --query <text>', 'only accounts whose name contains this, or whose ID starts with it'],
      state: ['--state <state>', 'only accounts in this state', ['active', 'suspended']],
      group: ['--group <group>', 'only accounts in this group'],
    },
    allPages: true,
    print: {
      ID: 'id',
      NAME: 'name',
      GROUP: 'group',
      STATE: getState,
      BALANCE: ({ balance }) => balance?.balance ?? '-',
      HELD: ({ balance }) => balance?.held ?? '-',
      CREATED: (one) => one.created_at.slice(0, 10),
    },
    emptyText: 'No accounts yet. Create one: modelgate account create <name>\n',
    warn: warnAboutUnknownGroups,
  });
}

/** Warns on stderr, because scripts read the list from stdout. */
async function warnAboutUnknownGroups(
  client: AdminClient,
  { data: accounts }: Output<'listAccounts'>,
  _: unknown,
  { stderr }: Shell,
): Promise<void> {
  // If the configuration can't be read, its groups are unknown, but the accounts are still listed.
  const groups = await client.call('listGroups', {}).catch(() => undefined);
  if (!groups) return;
  const names = groups.data.map(({ name }) => name);
  for (const unknownGroup of findUnknownGroups(accounts, names)) stderr.write(`modelgate: ${describeUnknownGroup(unknownGroup)}\n`);
}

function addEditCommand(account: Command): void {
  addRequestCommand(account, 'edit <account>', {
    description: 'rename an account, move it to a group, suspend it, or set its limits; omitted options keep their values',
    examples: [
      'modelgate account edit research --group vip',
      'modelgate account edit research --suspend',
      'modelgate account edit research --cap 50/day,1000/month',
      'modelgate account edit research --requests-per-minute 600 --concurrency observe:20',
    ],
    operation: 'editAccount',
    arguments: ['account_id'],
    options: {
      ...limitOptions,
      name: ['-n, --name <name>', 'new name', parseName],
      group: ['-g, --group <group>', 'configured group'],
      suspended: [
        new Option('--suspend', 'suspend the account: reject all its keys').conflicts('resume'),
        new Option('--resume', 'resume the account: accept its keys again').preset(false),
      ],
      'self_service.max_keys': [
        '--max-self-service-keys <number>',
        "maximum number of active keys created by the account's key owners",
        parseCount,
      ],
      'self_service.delegate': ['--delegate <yes|no>', 'whether keys with --manage-keys can create others with it', parseYesNo],
      spending_caps: capOption,
      alert_below: alertBelowOption,
    },
    async send(client, { account_id: account, ...changes }) {
      const current = await client.call('getAccount', { account_id: account });
      rejectEmptyChange(changes, 'account edit');
      // The API replaces all limits, so those without an option keep their values.
      const limits = changes.limits && { ...current.limits, ...changes.limits };
      return await client.call('editAccount', { account_id: current.id, ...changes, limits });
    },
    print: describeAccount,
  });
}

function addTopUpCommand(account: Command): void {
  addRequestCommand(account, 'top-up', {
    description: 'add dollars to a balance; a correction can also subtract',
    examples: [
      'modelgate account top-up research 25 --note "invoice 2044" --transfer-id invoice-2044',
      'modelgate account top-up research --kind correction -- -3.50',
    ],
    operation: 'adjustBalance',
    arguments: ['account_id', 'amount'],
    options: {
      note: ['--note <text>', 'reason to record in the ledger'],
      transfer_id: ['--transfer-id <id>', 'your ID for the transfer; posting the same ID again has no effect'],
      kind: ['--kind <kind>', 'top_up, refund, or correction', undefined, 'top_up'],
    },
    print: ({ transfer_id: id, repeated, balance }) =>
      `${id} ${repeated ? 'was already posted; nothing changed' : 'was posted'}. Balance: ${balance.balance}, available: ${balance.available}.\n`,
  })
    .argument('<account>', 'by ID or name')
    .argument('<dollars>', 'amount, such as 10 or 12.50', parseDollars);
}

function addEntriesCommand(account: Command): void {
  addRequestCommand(account, 'entries <account>', {
    description: 'list the ledger entries of an account, newest first',
    examples: ['modelgate account entries research', 'modelgate account entries research --from 2026-01-01 --to 2026-02-01 --csv'],
    operation: 'listEntries',
    arguments: ['account_id'],
    options: {
      from: ['--from <time>', 'entries from this date or time', parseMoment],
      to: ['--to <time>', 'entries before this date or time', parseMoment],
      kind: ['--kind <kind>', `only entries of this kind: ${statementKinds.join(', ')}`],
      ...createPageOptions('entries', 'entry'),
    },
    print: {
      ID: 'id',
      TIME: ({ at }) => at.slice(0, 19),
      KIND: 'kind',
      AMOUNT: 'amount',
      BALANCE: 'balance_after',
      'REQUEST OR TRANSFER': (entry) => entry.request_id ?? entry.transfer_id ?? '',
      NOTE: ({ note }) => note ?? '',
    },
    emptyText: 'No entries.\n',
    csv: {
      description: 'print all entries as CSV, ignoring --limit',
      async format({ data }) {
        const { formatCsvLine, entryHeadings, formatEntryLine } = await import('../../api/admin/csv.ts');
        return [formatCsvLine(entryHeadings), ...data.map(formatEntryLine)].join('');
      },
    },
  });
}
