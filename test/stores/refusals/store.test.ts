/** Refused requests, as each engine keeps them: as they were told, no more than so many, and no longer than they should be. */
import { test as base, describe, expect } from 'vitest';
import { openPostgresRefusals } from '../../../server/refusals/postgres.ts';
import { openRefusalSteps, openSqliteRefusals } from '../../../server/refusals/sqlite.ts';
import type { Refusal, RefusalStore } from '../../../server/refusals/store.ts';
import { openDatabase } from '../../../server/storage/sqlite/database.ts';
import { runHere } from '../../../server/storage/sqlite/write-operations.ts';
import { temporaryFolder } from '../../harness/folder.ts';
import { postgresName, usePostgres } from '../../harness/postgres.ts';
import { postgresMissing } from '../../harness/servers.ts';

/** Two processes on one database. */
type Pair = readonly [RefusalStore, RefusalStore];

const engines = [
  { title: 'sqlite', isMissing: false, use: () => openEmbedded },
  { title: postgresName, isMissing: postgresMissing !== null, use: useServer },
];

async function openEmbedded(): Promise<Pair> {
  const folder = temporaryFolder();
  const open = () => {
    const { connection } = openDatabase({ folder, durability: 'relaxed' });
    return openSqliteRefusals({ connection, steps: runHere(connection, openRefusalSteps) });
  };
  return [open(), open()];
}

function useServer(): () => Promise<Pair> {
  const server = usePostgres();
  return async () => {
    const { postgres } = await server.fresh();
    return [openPostgresRefusals(postgres), openPostgresRefusals(postgres)];
  };
}

const attempts = [{ upstream: 'east', status: null, code: 'upstream_timeout', ms: 1.5 }];
const refusal = (requestId: string, changes: Partial<Refusal> = {}): Refusal => ({
  requestId,
  createdAt: 1_000,
  accountId: 'ada',
  keyId: 'key_1',
  operation: 'createResponse',
  model: 'play',
  status: 504,
  code: 'upstream_timeout',
  param: 'input[0]',
  message: "It's late: 🦉 \\ {} NULL",
  attempts,
  ...changes,
});
const many = (from: number, to: number, createdAt = 1_000) =>
  Array.from({ length: to - from }, (_, at) => refusal(`req_${from + at}`, { createdAt }));
async function kept(store: RefusalStore, from: number, to: number): Promise<string[]> {
  const found = await Promise.all(many(from, to).map(({ requestId }) => store.find(requestId)));
  return found.flatMap((one) => one?.requestId ?? []);
}
const idsOf = (refusals: readonly Refusal[]) => refusals.map(({ requestId }) => requestId);

describe.each(engines)('$title', ({ isMissing, use }) => {
  const test = base.skipIf(isMissing);
  const open = use();

  test('C2: a refusal is read by every process as it was written, also where little is known of it', async () => {
    const [here, there] = await open();
    const bare = refusal('req_bare', { accountId: null, keyId: null, operation: null, model: null, param: null, attempts: [] });
    await here.add([refusal('req_full'), bare], 10);
    expect(await there.find('req_full')).toEqual(refusal('req_full'));
    expect(await there.find('req_bare')).toEqual(bare);
    expect([await there.find('req_none'), await there.find('zero \0')]).toEqual([undefined, undefined]);
  });

  test('C2: what is written twice is kept once, as it was the first time', async () => {
    const [here] = await open();
    await here.add([refusal('req_1')], 10);
    await here.add([refusal('req_1', { message: 'other' }), refusal('req_2')], 10);
    expect((await here.find('req_1'))?.message).toBe(refusal('').message);
    expect(await here.find('req_2')).toBeDefined();
  });

  test('C2: over their number the oldest go, whichever process writes', async () => {
    const [here, there] = await open();
    for (let from = 0; from < 600; from += 100) await (from % 200 === 0 ? here : there).add(many(from, from + 100), 250);
    expect(await kept(here, 0, 600)).toEqual(idsOf(many(350, 600)));
    await Promise.all([here.add(many(600, 700), 250), there.add(many(700, 800), 250)]);
    const left = await kept(there, 0, 800);
    expect(left.length).toBeLessThanOrEqual(250);
    expect(left).toEqual(expect.arrayContaining(idsOf(many(600, 800))));
  });

  test('C2: past their time they go, however many, and at a lower number the rest', async () => {
    const [here] = await open();
    for (let from = 0; from < 1_200; from += 200) await here.add(many(from, from + 200, from < 1_000 ? 1_000 : 5_000), 10_000);
    await here.sweep(5_000, 10_000);
    expect(await kept(here, 0, 1_200)).toEqual(idsOf(many(1_000, 1_200)));
    await here.sweep(0, 5);
    expect(await kept(here, 0, 1_200)).toEqual(idsOf(many(1_195, 1_200)));
    await here.sweep(0, 0);
    expect(await kept(here, 1_000, 1_200)).toEqual([]);
  });
});
