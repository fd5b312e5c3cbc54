/** `modelgate key …`: creates, lists, shows, changes, rotates, and revokes keys. */
import { type Command, Option } from 'commander';
import type { CreatedKey, ListedKey } from '../../../contract/admin/keys.ts';
import { type AdminClient, type Input, RejectedCall } from './admin-client.ts';
import { type AdminOptions, addAdminCommand, addCommandGroup, withAdmin } from './admin-command.ts';
import { formatCaps } from './cap-option.ts';
import { keyOptions, warnAboutNewAccount, warnAboutSettings } from './key-options.ts';
import { toLimitRows } from './limit-options.ts';
import { parseName, rejectEmptyChange } from './option-values.ts';
import { parseDurationSeconds, parseTime, parseTimeOrNever } from './parse-time.ts';
import { formatRates } from './price.ts';
import { formatRows, formatShortTime, printResult } from './print-result.ts';
import { addFieldOptions, addRequestCommand, formatColumns } from './request-command.ts';
import type { Shell } from './shell.ts';

export function addKeyCommands(program: Command): void {
  const key = addCommandGroup(program, 'key');
  addCreateCommand(key);
  addReadCommands(key);
  addEditCommand(key);
  addRotateCommand(key);
  addRevokeCommand(key);
}

function addCreateCommand(key: Command): void {
  const command = addAdminCommand(key, 'create', {
    description: "create a key; it's printed once, on stdout, and can't be shown again",
    examples: [
      'modelgate key create --name "build server" --expires 30d',
      'modelgate key create --name alice --account research --models "gpt-5*" --cap 20/month',
      'KEY=$(modelgate key create --name script)',
    ],
  });
  const readFields = addFieldOptions(command, {
    ...keyOptions,
    name: ['-n, --name <name>', 'what the key is for', parseName, 'unnamed'],
    account: ['-a, --account <account>', 'account of the key, by ID or name; created if the name is new', parseName, 'default'],
    expires_at: ['-e, --expires <when>', 'duration (12h, 30d, 8w) or date (2027-01-31, UTC) (default: never)', parseTime],
  });
  command.action(async (options: AdminOptions) => {
    // `as`: the options are named after the fields. The API checks the values.
    const fields = readFields() as Input<'createKey'>;
    await withAdmin(options, (client) => createKey(client, fields, options), { makesFolder: true });
  });
}

async function createKey(client: AdminClient, fields: Input<'createKey'>, options: AdminOptions): Promise<void> {
  const { shell } = options;
  const { made, isNewAccount } = await createKeyAndAccount(client, fields);
  if (options.json) printResult(options, made, '');
  else printKey(made, isNewAccount, shell);
  await warnAboutSettings(client, made, fields, shell);
  if (isNewAccount) await warnAboutNewAccount(client, made, shell);
}

function printKey(createdKey: CreatedKey, isNewAccount: boolean, { stdout, stderr }: Shell): void {
  stdout.write(`${createdKey.key}\n`);
  const owner = `${isNewAccount ? 'new account' : 'account'} ${createdKey.account.name}`;
  const expiry = createdKey.expires_at ?? 'never';
  stderr.write(`${createdKey.id} "${createdKey.name}" of ${owner}, expires ${expiry}. Save the key: it won't be shown again.\n`);
}

/** The API requires an existing account. On the command line, a new name creates one. */
async function createKeyAndAccount(client: AdminClient, key: Input<'createKey'>): Promise<{ made: CreatedKey; isNewAccount: boolean }> {
  try {
    return { made: await client.call('createKey', key), isNewAccount: false };
  } catch (error) {
    if (!(error instanceof RejectedCall) || error.code !== 'not_found' || error.param !== 'account') throw error;
  }
  await client.call('createAccount', { name: key.account });
  return { made: await client.call('createKey', key), isNewAccount: true };
}

function addReadCommands(key: Command): void {
  addRequestCommand(key, 'list', {
    description: 'list keys, without their secrets',
    examples: ['modelgate key list', 'modelgate key list --account research --json'],
    operation: 'listKeys',
    options: {
      account_id: ['-a, --account <account>', 'only keys of this account, by ID or name'],
      q: ['-q, --query <text>', 'only keys whose name contains this, whose ID starts with it, or whose last four characters are this'],
      state: ['--state <state>', 'only keys in this state', ['active', 'suspended', 'expired', 'revoked']],
      group: ['--group <group>', 'only keys of accounts in this group'],
    },
    allPages: true,
    print: {
      ID: 'id',
      NAME: 'name',
      ACCOUNT: ({ account }) => account.name,
      KEY: ({ last_four: lastFour }) => `…${lastFour}`,
      STATE: 'state',
      CREATED: (one) => one.created_at.slice(0, 10),
      EXPIRES: (one) => formatShortTime(one.expires_at),
    },
    emptyText: 'No keys yet. Create one: modelgate key create\n',
  });
  addRequestCommand(key, 'show <id>', {
    description: 'show a key and its permissions',
    examples: ['modelgate key show key_0aB3dE5gH7jK9mN1p'],
    operation: 'getKey',
    arguments: ['key_id'],
    print: describeKey,
  });
  addRequestCommand(key, 'access <key_id>', {
    description: 'show for each model whether a key can call it now, its price, and the rule that decides',
    examples: ['modelgate key access key_0aB3dE5gH7jK9mN1p', 'modelgate key access key_0aB3dE5gH7jK9mN1p --json'],
    operation: 'explainKey',
    arguments: ['key_id'],
    print: ({ models }) =>
      formatColumns(
        {
          MODEL: 'id',
          ALLOWED: ({ allowed }) => (allowed ? 'yes' : 'no'),
          RULE: 'rule',
          DOLLARS: ({ price }) => (price === null ? '-' : formatRates(price.effective) || 'free'),
          WHY: ({ allowed, reason }) => (allowed ? '' : reason),
        },
        models,
      ),
  });
}

function describeKey(key: ListedKey): string {
  const { permissions } = key;
  return formatRows([
    ['Key', `${key.id} (…${key.last_four})`],
    ['Name', key.name],
    ['Account', key.account.name],
    ['State', key.state],
    ['Operations', permissions.operations?.join(', ') ?? 'all'],
    ['Models', permissions.models?.join(', ') ?? 'all models of its group'],
    ['May store', permissions.may_store ? 'yes' : 'no'],
    ['Manages keys', permissions.manage_keys ? 'yes' : 'no'],
    ['From', key.ip_ranges?.join(', ') ?? 'anywhere'],
    ['Spending caps', formatCaps(key.use.spending_caps)],
    ...toLimitRows(key.limits),
    ['Created', formatShortTime(key.created_at)],
    ['Expires', formatShortTime(key.expires_at)],
    ['Revoked', key.revoked_at && formatShortTime(key.revoked_at)],
    ['Replaced by', key.replaced_by],
    ['Created by', key.created_by],
  ]);
}

function addEditCommand(key: Command): void {
  addRequestCommand(key, 'edit <id>', {
    description: "change a key's permissions, limits, and expiry; omitted options keep their values",
    examples: [
      'modelgate key edit key_0aB3dE5gH7jK9mN1p --models "gpt-5*,gpt-image-2" --cap 5/day,50/month',
      'modelgate key edit key_0aB3dE5gH7jK9mN1p --requests-per-minute 60 --ip-ranges 192.0.2.0/24',
      'modelgate key edit key_0aB3dE5gH7jK9mN1p --expires never',
    ],
    operation: 'editKey',
    arguments: ['key_id'],
    options: {
      ...keyOptions,
      name: ['-n, --name <name>', 'new name', parseName],
      expires_at: ['-e, --expires <when>', 'duration, date, or never', parseTimeOrNever],
    },
    async send(client, { key_id: id, ...changes }) {
      const current = await client.call('getKey', { key_id: id });
      rejectEmptyChange(changes, 'key edit');
      // The API replaces all permissions and all limits, so those without an option keep their values.
      const permissions = changes.permissions && { ...current.permissions, ...changes.permissions };
      const limits = changes.limits && { ...current.limits, ...changes.limits };
      return await client.call('editKey', { key_id: id, ...changes, permissions, limits });
    },
    print: ({ id, name }) => `${id} "${name}" saved. See: modelgate key show ${id}\n`,
    warn: warnAboutSettings,
  });
}

function addRotateCommand(key: Command): void {
  addRequestCommand(key, 'rotate <id>', {
    description:
      'replace a key with a new one that has the same permissions; the new key is printed once, and the old one expires after the overlap',
    examples: ['modelgate key rotate key_0aB3dE5gH7jK9mN1p', 'KEY=$(modelgate key rotate key_0aB3dE5gH7jK9mN1p --overlap 7d)'],
    operation: 'rotateKey',
    arguments: ['key_id'],
    options: {
      overlap_seconds: [
        new Option('-o, --overlap <length>', 'how long the old key keeps working: 12h, 7d, or 0')
          .argParser(parseDurationSeconds)
          .default(86_400, '1d'),
      ],
      expires_at: ['-e, --expires <when>', 'expiry of the new key (default: same lifetime as the old one)', parseTimeOrNever],
    },
    print: ({ key: secret }) => `${secret}\n`,
    note: ({ id, replaces }) =>
      `${id} replaces ${replaces.id}, which expires ${replaces.expires_at}. Save the key: it won't be shown again.\n`,
  });
}

function addRevokeCommand(key: Command): void {
  addAdminCommand(key, 'revoke <id>', {
    description: 'revoke a key permanently; running gateways reject it within 2 seconds',
    examples: ['modelgate key revoke key_0aB3dE5gH7jK9mN1p'],
  }).action(async (id: string, options: AdminOptions) => {
    await withAdmin(options, async (client) => {
      const current = await client.call('getKey', { key_id: id });
      const result = await client.call('revokeKey', { key_id: id });
      printResult(options, result, current.state === 'revoked' ? `${id} was already revoked.\n` : `${id} was revoked.\n`);
    });
  });
}
