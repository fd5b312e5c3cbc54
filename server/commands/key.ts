/** `modelgate key …`: makes, lists and revokes keys in the data folder, also while the server runs. */
import { type Command, InvalidArgumentError } from 'commander';
import { issueKey } from '../access/issue.ts';
import { type Access, openAccess } from '../access/open.ts';
import type { KeyRecord } from '../access/store.ts';
import { hasDatabase, openDatabase } from '../storage/database.ts';
import { parseExpiry } from './expiry.ts';
import { CommandError, exitCodeHelp } from './failure.ts';
import { dataHint, findData, type LocationOptions, locationHelp, withConfigOption, withDataOption } from './location.ts';
import { formatTable } from './table.ts';

/** As the audit names whoever has the data folder. */
const cli = 'cli';

export function addKey(program: Command): void {
  const key = program.command('key').description('make, list and revoke API keys').addHelpText('after', exitCodeHelp);
  addCreate(key);
  addList(key);
  addRevoke(key);
}

interface CreateOptions extends LocationOptions {
  readonly name: string;
  readonly account: string;
  readonly expires?: number;
}

function addCreate(key: Command): void {
  withDataOption(withConfigOption(key.command('create')))
    .description('make a key; it is printed once, on stdout, and cannot be shown again')
    .option('-n, --name <name>', 'what the key is for', parseName, 'unnamed')
    .option('-a, --account <name>', 'account it belongs to; made if there is none of that name', parseName, 'default')
    .option('-e, --expires <when>', 'length of time (12h, 30d, 8w) or date (2027-01-31, UTC); never where left out', (text) =>
      parseExpiry(text, Date.now()),
    )
    .addHelpText(
      'after',
      `
Examples:
  modelgate key create --name "build server" --expires 30d
  modelgate key create --name alice --account research --expires 2027-01-31
  KEY=$(modelgate key create --name script)
${locationHelp}
${exitCodeHelp}`,
    )
    .action(createKey);
}

async function createKey({ name, account, expires, ...location }: CreateOptions): Promise<void> {
  await withAccess(findData(location), async ({ store, pepper }) => {
    const order = { accountName: account, name, expiresAt: expires ?? null };
    const issued = await issueKey(order, { store, pepper, now: Date.now, actor: cli });
    process.stdout.write(`${issued.key}\n`);
    const owner = `${issued.isNewAccount ? 'new account' : 'account'} ${account}`;
    process.stderr.write(
      `${issued.id} "${name}" of ${owner}, expires ${timeText(order.expiresAt)}. Keep the key: it is not shown again.\n`,
    );
  });
}

function addList(key: Command): void {
  withDataOption(withConfigOption(key.command('list')))
    .description('list all keys, without the keys themselves')
    .option('--json', 'for scripts: a JSON array')
    .addHelpText('after', `\nExamples:\n  modelgate key list\n  modelgate key list --json\n${locationHelp}\n${exitCodeHelp}`)
    .action(listKeys);
}

async function listKeys({ json, ...location }: LocationOptions & { readonly json?: boolean }): Promise<void> {
  await withAccess(existingData(location), async ({ store }) => {
    const keys = (await store.listKeys()).map((record) => describeKey(record, Date.now()));
    if (json) process.stdout.write(`${JSON.stringify(keys, null, 2)}\n`);
    else if (keys.length === 0) process.stdout.write('There are no keys. Make one: modelgate key create\n');
    else process.stdout.write(formatTable(listHeadings, keys.map(listRow)));
  });
}

const listHeadings = ['ID', 'NAME', 'ACCOUNT', 'KEY', 'STATE', 'CREATED', 'EXPIRES'];

function describeKey(record: KeyRecord, now: number) {
  return {
    id: record.id,
    name: record.name,
    account: record.account.name,
    lastFour: record.lastFour,
    state: stateOf(record, now),
    createdAt: new Date(record.createdAt).toISOString(),
    expiresAt: record.expiresAt === null ? null : new Date(record.expiresAt).toISOString(),
    revokedAt: record.revokedAt === null ? null : new Date(record.revokedAt).toISOString(),
  };
}

function stateOf({ revokedAt, expiresAt }: KeyRecord, now: number): 'active' | 'expired' | 'revoked' {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && now >= expiresAt ? 'expired' : 'active';
}

function listRow(key: ReturnType<typeof describeKey>): string[] {
  return [key.id, key.name, key.account, `…${key.lastFour}`, key.state, key.createdAt.slice(0, 10), key.expiresAt?.slice(0, 16) ?? 'never'];
}

function addRevoke(key: Command): void {
  withDataOption(withConfigOption(key.command('revoke')))
    .description('revoke a key for good; a running server refuses it within two seconds')
    .argument('<id>', 'id of the key, as in key list')
    .addHelpText('after', `\nExamples:\n  modelgate key revoke key_0aB3dE5gH7jK9mN1p\n${locationHelp}\n${exitCodeHelp}`)
    .action(revokeKey);
}

async function revokeKey(id: string, location: LocationOptions): Promise<void> {
  const folder = existingData(location);
  await withAccess(folder, async ({ store }) => {
    const outcome = await store.revokeKey(id, { actor: cli, action: 'key.revoke', target: id, details: {}, at: Date.now() });
    if (outcome === 'unknown') throw new CommandError(`There is no key with this id. See: modelgate key list${dataHint(folder)}`);
    process.stdout.write(outcome === 'revoked' ? `${id} is revoked.\n` : `${id} was revoked before.\n`);
  });
}

function existingData(location: LocationOptions): string {
  const folder = findData(location);
  if (hasDatabase(folder)) return folder;
  throw new CommandError(`There is no database in ${folder}. Start the gateway once, or name its data folder with --data.`);
}

/** What a person did at the prompt is kept whatever happens to the power, hence strict. */
async function withAccess(folder: string, work: (access: Access) => Promise<void>): Promise<void> {
  const database = openDatabase({ folder, durability: 'strict' });
  try {
    await work(await openAccess(folder, database));
  } finally {
    database.close();
  }
}

const maxNameLength = 100;

function parseName(text: string): string {
  const name = text.trim();
  // A line break or an escape sequence in a name would garble the list of whoever prints it.
  if (name === '' || name.length > maxNameLength || /\p{Cc}/u.test(name)) {
    throw new InvalidArgumentError(`Write a name of 1 to ${maxNameLength} characters, without control characters.`);
  }
  return name;
}

function timeText(time: number | null): string {
  return time === null ? 'never' : new Date(time).toISOString();
}
