/** Gateways on one engine, governed and plain, with the accounts and keys that call them. */

import type { SharedStores } from './engines-stores.ts';
import { type RunningModelgate, startModelgate } from './modelgate.ts';
import type { Ground } from './servers.ts';

export type SideName = 'plain' | 'governed';
export const sideNames: readonly SideName[] = ['plain', 'governed'];

export interface Side {
  readonly gateways: readonly RunningModelgate[];
  /** One for each account: the first is the hot one, the others call all at once. */
  readonly keys: readonly string[];
}

export interface Fleet {
  readonly sides: Readonly<Record<SideName, Side>>;
  close(): Promise<void>;
}

export interface FleetOrder {
  readonly ground: Ground;
  /** Null: SQLite and memory, each side in a folder of its own. */
  readonly stores: SharedStores | null;
  /** Of each side. */
  readonly processes: number;
  readonly accounts: number;
}

export async function startFleet(order: FleetOrder): Promise<Fleet> {
  const gateways: RunningModelgate[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(gateways.map((gateway) => gateway.stop()));
  };
  const startAll = async (side: SideName): Promise<RunningModelgate[]> => {
    const own: RunningModelgate[] = [];
    // The first one makes the tables.
    for (let index = 0; index < order.processes; index++) {
      own.push(await startOne(order, side, index));
      gateways.push(...own.slice(-1));
    }
    return own;
  };
  try {
    const [governed, plain] = [await startAll('governed'), await startAll('plain')];
    const keys = await makeKeys(governed[0], order.accounts, true);
    // On shared stores the keys of one side are those of the other.
    const plainKeys = order.stores ? keys : await makeKeys(plain[0], order.accounts, false);
    return { sides: { governed: { gateways: governed, keys }, plain: { gateways: plain, keys: plainKeys } }, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function startOne({ ground: { cores, vendorOrigin, profile }, stores }: FleetOrder, side: SideName, index: number) {
  const spare = cores?.all.filter((core) => core !== cores.load) ?? [];
  return startModelgate({
    vendorUrl: `${vendorOrigin}/v1`,
    isGoverned: side === 'governed',
    core: spare[index % spare.length],
    profile,
    hasAdmin: index === 0,
    ...(stores && { stores: stores.variables }),
  });
}

/** More than any run can spend. */
const openingBalance = '100';

/** Keys of so many new accounts. */
export async function makeKeys(gateway: RunningModelgate | undefined, accounts: number, isPaid: boolean): Promise<string[]> {
  if (gateway?.adminOrigin === undefined) throw new Error('the first gateway has no admin API');
  const adminKey = await gateway.command('admin-key', 'create', '--name', 'bench');
  const post = async (path: string, body: object): Promise<Readonly<Record<string, unknown>>> => {
    const headers = { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' };
    const answer = await fetch(`${gateway.adminOrigin}/admin/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    // `as`: the admin API answers with objects.
    return (await answer.json()) as Readonly<Record<string, unknown>>;
  };
  const keys: string[] = [];
  for (let number = 0; number < accounts; number++) {
    const account = await post('/accounts', { name: `bench-${number}`, ...(isPaid && { opening_balance: openingBalance }) });
    const { key } = await post('/keys', { account: account.id, name: 'bench' });
    keys.push(String(key));
  }
  return keys;
}
