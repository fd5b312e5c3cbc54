/** Stored responses on each engine: complete, in chains, separate by account, and deleted after their retention. */

import { test as base, describe, expect } from 'vitest';
import { historyStoreDefinition } from '../../../server/history/plans.ts';
import type { HistoryStore } from '../../../server/history/store.ts';
import type { StoredResponse } from '../../../server/history/stored-response.ts';
import { openDatabase, runInline } from '../../../server/store/sqlite/database.ts';
import { temporaryFolder } from '../../harness/folder.ts';
import { postgresName, usePostgres } from '../../harness/postgres.ts';
import { postgresMissing } from '../../harness/servers.ts';

const engines = [
  { title: 'sqlite', isMissing: false, use: () => openEmbedded },
  { title: postgresName, isMissing: postgresMissing !== null, use: useServer },
];

async function openEmbedded(): Promise<HistoryStore> {
  const { connection } = openDatabase({ folder: temporaryFolder(), durability: 'relaxed' });
  return historyStoreDefinition.onSqlite({ connection, steps: runInline(connection, historyStoreDefinition.steps) });
}

function useServer(): () => Promise<HistoryStore> {
  const server = usePostgres();
  return async () => historyStoreDefinition.onPostgres((await server.fresh()).postgres);
}

const said = (id: string, changes: Partial<StoredResponse> = {}): StoredResponse => ({
  id,
  accountId: 'ada',
  previousId: null,
  upstream: 'east',
  createdAt: 1_000,
  input: [{ role: 'user', content: `to ${id}` }],
  response: { id, output: [{ id: `msg_${id}`, type: 'message', text: `from ${id}` }] },
  ...changes,
});

async function findItem(store: HistoryStore, accountId: string, id: string): Promise<{ item: unknown; upstream: string } | undefined> {
  const found = (await store.findItems(accountId, [id])).get(id);
  return found && { ...found, item: JSON.parse(found.item) };
}

describe.each(engines)('$title', ({ isMissing, use }) => {
  const test = base.skipIf(isMissing);
  const open = use();

  test('returns a response exactly as it was written', async () => {
    const store = await open();
    const odd = { z: 1, a: "zero \0, quote ', emoji 🦉, half \ud83e", 10: null, nested: [{ deep: [1.5, -0, 1e300] }] };
    const record = said('resp_1', { input: [{ role: 'user', content: odd }], response: { id: 'resp_1', output: [], usage: odd } });
    await store.save(record);
    const found = await store.find('ada', 'resp_1');
    expect(JSON.stringify(found?.input)).toBe(JSON.stringify(record.input));
    expect(JSON.stringify(found?.response)).toBe(JSON.stringify(record.response));
    expect(found).toMatchObject({ previousId: null, upstream: 'east', createdAt: 1_000 });
  });

  test('returns a response with long texts as it was written, as a whole and item by item', async () => {
    const store = await open();
    const long = 'zero \0, quote ", emoji 🦉, half \ud83e, line\n'.repeat(4_000);
    const output = [
      { id: 'msg_1', type: 'message', text: long },
      { type: 'x' },
      { id: 'msg_2', type: 'message', picture: 'A'.repeat(100_000) },
    ];
    const record = said('resp_1', { input: [{ role: 'user', content: long }], response: { id: 'resp_1', output, instructions: long } });
    await store.save(record);
    const found = await store.find('ada', 'resp_1');
    expect(found?.input).toEqual(record.input);
    expect(JSON.stringify(found?.response)).toBe(JSON.stringify(record.response));
    expect((await store.findResponseJson('ada', 'resp_1'))?.equals(Buffer.from(JSON.stringify(record.response)))).toBe(true);
    expect(await findItem(store, 'ada', 'msg_2')).toEqual({ item: output[2], upstream: 'east' });
    expect(await store.countStoredBytes('ada')).toBe(Buffer.byteLength(JSON.stringify(record.input) + JSON.stringify(record.response)));
    const [turn] = await store.listChain('ada', 'resp_1');
    expect(turn?.output).toBe(JSON.stringify(output));
  });

  test('reads a chain from any response, oldest first, starting after a response that was deleted', async () => {
    const store = await open();
    for (const [index, id] of ['one', 'two', 'three', 'four'].entries()) {
      await store.save(said(id, { previousId: index === 0 ? null : (['one', 'two', 'three'][index - 1] ?? null) }));
    }
    const ids = async (id: string, account = 'ada') => (await store.listChain(account, id)).map((link) => link.id);
    expect(await ids('four')).toEqual(['one', 'two', 'three', 'four']);
    expect(await ids('two')).toEqual(['one', 'two']);
    expect(await ids('nowhere')).toEqual([]);
    expect(await ids('four', 'bob')).toEqual([]);
    expect(await store.remove('ada', 'two')).toBe(true);
    expect(await ids('four')).toEqual(['three', 'four']);
  });

  test('finds an output item by its ID with the upstream that made it, until its response is gone', async () => {
    const store = await open();
    await store.save(said('resp_1', { upstream: 'west' }));
    expect(await findItem(store, 'ada', 'msg_resp_1')).toEqual({
      item: { id: 'msg_resp_1', type: 'message', text: 'from resp_1' },
      upstream: 'west',
    });
    expect(await findItem(store, 'bob', 'msg_resp_1')).toBeUndefined();
    expect(await store.remove('ada', 'resp_1')).toBe(true);
    expect(await findItem(store, 'ada', 'msg_resp_1')).toBeUndefined();
  });

  test('returns each of two accounts its own response, even under the same ID', async () => {
    const store = await open();
    await store.save(said('resp_1'));
    await store.save(said('resp_1', { accountId: 'bob', upstream: 'west' }));
    expect(await store.remove('cyd', 'resp_1')).toBe(false);
    expect(await store.remove('ada', 'resp_1')).toBe(true);
    expect(await store.find('ada', 'resp_1')).toBeUndefined();
    expect(await store.find('bob', 'resp_1')).toMatchObject({ upstream: 'west' });
  });

  test('replaces a response that is saved again', async () => {
    const store = await open();
    await store.save(said('resp_1'));
    const later = said('resp_1', { createdAt: 2_000, response: { id: 'resp_1', output: [{ id: 'msg_resp_1', text: 'later' }] } });
    await store.save(later);
    expect(await store.find('ada', 'resp_1')).toEqual(later);
    expect(await findItem(store, 'ada', 'msg_resp_1')).toMatchObject({ item: { text: 'later' } });
  });

  test('F55: deletes responses that are too old with their items in a sweep, and nothing else', async () => {
    const store = await open();
    for (let index = 0; index < 600; index++) await store.save(said(`old_${index}`, { createdAt: 999 }));
    await store.save(said('young', { previousId: 'old_1' }));
    const steps: number[] = [];
    while (steps.at(-1) !== 0) steps.push(await store.sweep(1_000));
    expect(steps.reduce((sum, rows) => sum + rows)).toBe(600);
    expect(Math.max(...steps)).toBeLessThanOrEqual(100);
    expect(await findItem(store, 'ada', 'msg_old_1')).toBeUndefined();
    expect((await store.listChain('ada', 'young')).map(({ id }) => id)).toEqual(['young']);
  });

  test('uses IDs from callers only as values, whatever they contain', async () => {
    const store = await open();
    await store.save(
      said('resp_1', { response: { id: 'resp_1', output: [{ id: 'it\0em' }, { id: 'twice', n: 1 }, { id: 'twice', n: 2 }] } }),
    );
    for (const id of ['resp\0_1', "x'; DROP TABLE responses; --", '']) {
      expect([await store.find('ada', id), await store.listChain('ada', id), await findItem(store, 'ada', id)]).toEqual([
        undefined,
        [],
        undefined,
      ]);
      expect(await store.remove('ada', id)).toBe(false);
    }
    expect(await findItem(store, 'ada', 'twice')).toMatchObject({ item: { n: 2 } });
    expect(await store.find('ada', 'resp_1')).toBeDefined();
  });

  test('stores and reads a conversation with megabytes in each turn', async () => {
    const store = await open();
    const picture = 'iVBORw0KGgo'.repeat(200_000);
    for (const [index, id] of ['one', 'two', 'three'].entries()) {
      await store.save(said(id, { previousId: ['one', 'two'][index - 1] ?? null, input: [{ role: 'user', content: picture }] }));
    }
    const chain = await store.listChain('ada', 'three');
    expect(chain.map(({ input }) => JSON.stringify(input).length > picture.length)).toEqual([true, true, true]);
  });
});
