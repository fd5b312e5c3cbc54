/** `modelgate key …`: creates, lists, shows, changes, rotates, and revokes keys. */
import { type Command, Option } from 'commander';
import type { CreatedKey, Key } from '../../../contract/admin/keys.ts';
import { type AdminClient, type Input, listAllPages, RejectedCall } from './admin-client.ts';
import { type AdminOptions, addAdminCommand, addCommandGroup, withAdmin } from './admin-command.ts';
import { addKeyOptions, type KeyOptions, toKeyFields, warnAboutModels, warnAboutNewAccount } from './key-options.ts';
import { toLimitRows } from './limit-options.ts';
import { type OptionValue, parseName, rejectEmptyChange } from './option-values.ts';
import { parseDurationSeconds, parseTime, parseTimeOrNever } from './parse-time.ts';
import { formatRows, formatShortTime, formatTable, printResult } from './print-result.ts';
import type { Shell } from './shell.ts';

export function addKeyCommands(program: Command): void {
  const key = addCommandGroup(program, 'key', 'create, list, edit, rotate, and revoke API keys');
  addCreateCommand(key);
  addListCommand(key);
  addShowCommand(key);
  addAccessCommand(key);
  addEditCommand(key);
  addRotateCommand(key);
  addRevokeCommand(key);
}

interface CreateOptions extends KeyOptions {
  readonly name: string;
  readonly account: string;
  readonly expires?: string;
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
  addKeyOptions(command)
    .option('-n, --name <name>', 'what the key is for', parseName, 'unnamed')
    .option('-a, --account <account>', 'account of the key, by ID or name; created if the name is new', parseName, 'default')
    .option('-e, --expires <when>', 'duration (12h, 30d, 8w) or date (2027-01-31, UTC) (default: never)', parseTime)
    .action(async (options: CreateOptions) => {
      await withAdmin(options, (client) => createKey(client, options), { makesFolder: true });
    });
}

async function createKey(client: AdminClient, options: CreateOptions): Promise<void> {
  const { name, account, expires, shell } = options;
  const { made, isNewAccount } = await createKeyAndAccount(client, { account, name, ...toKeyFields(options), expires_at: expires });
  if (options.json) printResult(options, made, '');
  else printKey(made, isNewAccount, shell);
  await warnAboutModels(client, made, options);
  if (isNewAccount) await warnAboutNewAccount(client, made, options);
}

function printKey(createdKey: CreatedKey, isNewAccount: boolean, { stdout, stderr }: Shell): void {
  stdout.write(`${createdKey.key}\n`);
  const owner = `${isNewAccount ? 'new account' : 'account'} ${createdKey.account.name}`;
  const expiry = createdKey.expires_at ?? 'never';
  stderr.write(`${createdKey.id} "${createdKey.name}" of ${owner}, expires ${expiry}. Save the key: it won't be shown again.\n`);
}

/** The API requires an existing account. On the command line, a new name creates one. */
async function createKeyAndAccount(
  client: AdminClient,
  body: Input<'createKey'>['body'],
): Promise<{ made: CreatedKey; isNewAccount: boolean }> {
  try {
    return { made: await client.call('createKey', { body }), isNewAccount: false };
  } catch (error) {
    if (!(error instanceof RejectedCall) || error.code !== 'not_found' || error.param !== 'account') throw error;
  }
  await client.call('createAccount', { body: { name: body.account } });
  return { made: await client.call('createKey', { body }), isNewAccount: true };
}

interface ListOptions extends AdminOptions {
  readonly account?: string;
  readonly query?: string;
  readonly state?: Key['state'];
  readonly group?: string;
}

function addListCommand(key: Command): void {
  addAdminCommand(key, 'list', {
    description: 'list keys, without their secrets',
    examples: ['modelgate key list', 'modelgate key list --account research --json'],
  })
    .option('-a, --account <account>', 'only keys of this account, by ID or name')
    .option('-q, --query <text>', 'only keys whose name contains this, whose ID starts with it, or whose last four characters are this')
    .addOption(new Option('--state <state>', 'only keys in this state').choices(['active', 'suspended', 'expired', 'revoked']))
    .option('--group <group>', 'only keys of accounts in this group')
    .action(async (options: ListOptions) => {
      const { account, query: q, state, group } = options;
      await withAdmin(options, async (client) => {
        const list = await listAllPages(client, 'listKeys', { query: { account_id: account, q, state, group } });
        const emptyText = 'No keys yet. Create one: modelgate key create\n';
        printResult(options, list, list.data.length === 0 ? emptyText : formatTable(listHeadings, list.data.map(toListRow)));
      });
    });
}

const listHeadings = ['ID', 'NAME', 'ACCOUNT', 'KEY', 'STATE', 'CREATED', 'EXPIRES'];

function toListRow(key: Key): string[] {
  const { id, name, account, last_four: lastFour, state, created_at: created, expires_at: expires } = key;
  return [id, name, account.name, `…${lastFour}`, state, created.slice(0, 10), formatShortTime(expires)];
}

function addShowCommand(key: Command): void {
  addAdminCommand(key, 'show <id>', {
    description: 'show a key and its permissions',
    examples: ['modelgate key show key_0aB3dE5gH7jK9mN1p'],
  }).action(async (id: string, options: AdminOptions) => {
    await withAdmin(options, async (client) => {
      const result = await client.call('getKey', { params: { key_id: id } });
      printResult(options, result, describeKey(result));
    });
  });
}

function describeKey(key: Key): string {
  const { permissions, spending_cap: cap } = key;
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
    ['Spending cap', cap ? `${cap.amount}${cap.period === 'never' ? '' : ` per ${cap.period}`}` : 'none'],
    ...toLimitRows(key.limits),
    ['Created', formatShortTime(key.created_at)],
    ['Expires', formatShortTime(key.expires_at)],
    ['Revoked', key.revoked_at && formatShortTime(key.revoked_at)],
    ['Replaced by', key.replaced_by],
    ['Created by', key.created_by],
  ]);
}

function addEditCommand(key: Command): void {
  const command = addAdminCommand(key, 'edit <id>', {
    description: "change a key's permissions, limits, and expiry; only the given options change",
    examples: [
      'modelgate key edit key_0aB3dE5gH7jK9mN1p --models "gpt-5*,gpt-image-2" --cap 5/day',
      'modelgate key edit key_0aB3dE5gH7jK9mN1p --requests-per-minute 60 --from 192.0.2.0/24',
      'modelgate key edit key_0aB3dE5gH7jK9mN1p --expires never',
    ],
  });
  addKeyOptions(command)
    .option('-n, --name <name>', 'new name', parseName)
    .option('-e, --expires <when>', 'duration, date, or never', parseTimeOrNever)
    .action(async (id: string, options: KeyOptions & { name?: string; expires?: OptionValue<string> }) => {
      await withAdmin(options, async (client) => {
        const params = { key_id: id };
        const current = await client.call('getKey', { params });
        const body = { name: options.name, ...toKeyFields(options, current), expires_at: options.expires?.value };
        rejectEmptyChange(body, 'key edit');
        const updatedKey = await client.call('editKey', { params, body });
        printResult(options, updatedKey, `${updatedKey.id} "${updatedKey.name}" saved. See: modelgate key show ${updatedKey.id}\n`);
        await warnAboutModels(client, updatedKey, options);
      });
    });
}

function addRotateCommand(key: Command): void {
  addAdminCommand(key, 'rotate <id>', {
    description:
      'replace a key with a new one that has the same permissions; the new key is printed once, the old one expires after the overlap',
    examples: ['modelgate key rotate key_0aB3dE5gH7jK9mN1p', 'KEY=$(modelgate key rotate key_0aB3dE5gH7jK9mN1p --overlap 7d)'],
  })
    .option('-o, --overlap <length>', 'how long the old key keeps working: 12h, 7d, or 0', parseDurationSeconds, 86_400)
    .option('-e, --expires <when>', 'expiry of the new key (default: same lifetime as the old one)', parseTimeOrNever)
    .action(async (id: string, options: AdminOptions & { overlap: number; expires?: OptionValue<string> }) => {
      await withAdmin(options, async (client) => {
        const body = { overlap_seconds: options.overlap, expires_at: options.expires?.value };
        const rotatedKey = await client.call('rotateKey', { params: { key_id: id }, body });
        printResult(options, rotatedKey, `${rotatedKey.key}\n`);
        if (options.json) return;
        const { id: newId, replaces } = rotatedKey;
        options.shell.stderr.write(
          `${newId} replaces ${replaces.id}, which expires ${replaces.expires_at}. Save the key: it won't be shown again.\n`,
        );
      });
    });
}

function addRevokeCommand(key: Command): void {
  addAdminCommand(key, 'revoke <id>', {
    description: 'revoke a key permanently; running gateways reject it within 2 seconds',
    examples: ['modelgate key revoke key_0aB3dE5gH7jK9mN1p'],
  }).action(async (id: string, options: AdminOptions) => {
    await withAdmin(options, async (client) => {
      const params = { key_id: id };
      const current = await client.call('getKey', { params });
      const result = await client.call('revokeKey', { params });
      printResult(options, result, current.state === 'revoked' ? `${id} was already revoked.\n` : `${id} was revoked.\n`);
    });
  });
}

function addAccessCommand(key: Command): void {
  addAdminCommand(key, 'access <key_id>', {
    description: 'show for each model whether a key can call it now, its price, and the rule that decides',
    examples: ['modelgate key access key_0aB3dE5gH7jK9mN1p', 'modelgate key access key_0aB3dE5gH7jK9mN1p --json'],
  }).action(async (keyId: string, options: AdminOptions) => {
    await withAdmin(options, async (client) => {
      const access = await client.call('explainKey', { params: { key_id: keyId } });
      const rows = access.models.map(({ id, allowed, price, rule, reason }) => [
        id,
        allowed ? 'yes' : 'no',
        rule ?? '-',
        price === null ? '-' : formatPrices(price.effective),
        allowed ? '' : reason,
      ]);
      printResult(options, access, formatTable(['MODEL', 'ALLOWED', 'RULE', 'DOLLARS', 'WHY'], rows));
    });
  });
}

const formatPrices = (effective: Readonly<Record<string, string>>): string =>
  Object.entries(effective)
    .map(([name, rate]) => `${name} ${rate}`)
    .join(', ') || 'free';
