/** How much of a long conversation is read, and how much an account stores, on each engine (faults A2 and A3). */

import { test as base, describe, expect } from 'vitest';
import { InputItemList, type InputItemQuery } from '../../../contract/responses/stored.ts';
import { type History, openHistory } from '../../../server/history/history.ts';
import { historyStoreDefinition } from '../../../server/history/plans.ts';
import type { HistoryStore } from '../../../server/history/store.ts';
import type { StoredResponse } from '../../../server/history/stored-response.ts';
import { openDatabase, runInline } from '../../../server/store/sqlite/database.ts';
import { temporaryFolder } from '../../harness/folder.ts';
import { postgresName, usePostgres } from '../../harness/postgres.ts';
import { postgresMissing } from '../../harness/servers.ts';

interface Engine {
  readonly store: HistoryStore;
  /** Deletes the rows that older programs do not write. */
  forgetOutlines(): Promise<void>;
}

/** Whose bytes nobody counts. */
const ada = { accountId: 'ada', share: null };
const engines = [
  { title: 'sqlite', isMissing: false, use: () => openEmbedded },
  { title: postgresName, isMissing: postgresMissing !== null, use: useServer },
];

async function openEmbedded(): Promise<Engine> {
  const { connection } = openDatabase({ folder: temporaryFolder(), durability: 'relaxed' });
  return {
    store: historyStoreDefinition.onSqlite({ connection, steps: runInline(connection, historyStoreDefinition.steps) }),
    forgetOutlines: async () => connection.exec('DELETE FROM response_outlines'),
  };
}

function useServer(): () => Promise<Engine> {
  const server = usePostgres();
  return async () => {
    const { postgres } = await server.fresh();
    return {
      store: historyStoreDefinition.onPostgres(postgres),
      forgetOutlines: async () => void (await postgres.query({ text: 'DELETE FROM response_outlines' })),
    };
  };
}

/** A page of the conversation that ends with the fourth response. */
async function pageIn(history: History, id: string, query: InputItemQuery): Promise<InputItemList> {
  return InputItemList.parse(JSON.parse((await history.readInput(ada, id, query)).toString()));
}

/** Counts the characters that a store returns. */
function counted(store: HistoryStore): { readonly store: HistoryStore; readonly read: () => number } {
  let letters = 0;
  const count = (value: unknown): void => {
    if (typeof value === 'string' || value instanceof Uint8Array) letters += value.length;
    else if (value instanceof Map) for (const [key, inner] of value) [key, inner].forEach(count);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(count);
  };
  const noted = Object.entries(store).map(([name, method]) => {
    const call = async (...values: unknown[]): Promise<unknown> => {
      const result: unknown = await method(...values);
      count(result);
      return result;
    };
    return [name, call];
  });
  // Every method of the store, under its own name.
  return { store: Object.fromEntries(noted) as HistoryStore, read: () => letters };
}

const PICTURE = 'p'.repeat(200_000);
const said = (id: string, changes: Partial<StoredResponse> = {}): StoredResponse => ({
  id,
  accountId: 'ada',
  previousId: null,
  upstream: 'east',
  createdAt: 1_000,
  input: [
    { role: 'user', content: PICTURE },
    { role: 'user', content: `ü to ${id}` },
  ],
  response: {
    id,
    output: [{ id: `msg_${id}`, type: 'message', role: 'assistant', content: `🦉 from ${id}` }, { type: 'x' }],
    tools: [PICTURE],
  },
  ...changes,
});
const bytesOf = ({ input, response }: StoredResponse): number => Buffer.byteLength(JSON.stringify(input) + JSON.stringify(response));
const TURNS = ['one', 'two', 'three', 'four'];

async function talk(store: HistoryStore): Promise<void> {
  for (const [index, id] of TURNS.entries()) await store.save(said(id, { previousId: TURNS[index - 1] ?? null }));
}

describe.each(engines)('$title', ({ isMissing, use }) => {
  const test = base.skipIf(isMissing);
  const open = use();
  const bounds = { maxBytes: 10_000_000, accountBytes: 0, days: 30 };

  test('A3: reads only the item of a page of one, not the whole chain', async () => {
    const { store } = await open();
    await talk(store);
    const { store: watched, read } = counted(store);
    const page = await pageIn(openHistory(watched, 1_000, bounds), 'four', { limit: 1 });
    expect(page.data).toMatchObject([{ content: [{ text: 'ü to four' }] }]);
    expect(page.has_more).toBe(true);
    expect(read()).toBeLessThan(2_000);
  });

  test('A3: returns a stored response unchanged, and reads nothing else', async () => {
    const { store } = await open();
    await talk(store);
    const { store: watched, read } = counted(store);
    const answer = await openHistory(watched, 1_000, bounds).find(ada, 'one');
    expect(answer.toString()).toBe(JSON.stringify(said('one').response));
    expect(read()).toBe(answer.length);
  });

  test("A3: finds the upstream of a response without reading the conversation's content", async () => {
    const { store } = await open();
    await talk(store);
    const { store: watched, read } = counted(store);
    const history = openHistory(watched, 1_000, bounds);
    expect([await history.findUpstream('ada', 'four'), await history.findUpstream('bob', 'four')]).toEqual(['east', null]);
    expect(read()).toBe('east'.length);
  });

  test('A3: lists every item on its page, even if an older program wrote the response', async () => {
    const { store, forgetOutlines } = await open();
    await talk(store);
    const history = openHistory(store, 1_000, bounds);
    const all = await pageIn(history, 'four', { limit: 100, order: 'asc' });
    const kinds = all.data.map(({ id, type, content }) => [id.replace(/_[0-9a-f]{48}$/, ''), type, JSON.stringify(content)?.slice(-20)]);
    expect(kinds.slice(0, 5)).toEqual([
      ['msg', 'message', 'pppppppppppppppppp"}]'.slice(-20)],
      ['msg', 'message', 'xt","text":"ü to one"}]'.slice(-20)],
      ['msg_one', 'message', JSON.stringify([{ type: 'output_text', text: '🦉 from one', annotations: [] }]).slice(-20)],
      ['item', 'x', undefined],
      ['msg', 'message', 'pppppppppppppppppp"}]'.slice(-20)],
    ]);
    expect(all.data).toHaveLength(14);
    const pages = [];
    for (let after: string | undefined, more = true; more; ) {
      const page = await pageIn(history, 'four', { limit: 3, order: 'asc', ...(after !== undefined && { after }) });
      pages.push(...page.data);
      [after, more] = [page.last_id ?? undefined, page.has_more];
    }
    expect(pages).toEqual(all.data);
    await forgetOutlines();
    expect(await pageIn(history, 'four', { limit: 100, order: 'asc' })).toEqual(all);
    expect((await pageIn(history, 'four', { limit: 100 })).data).toEqual(all.data.toReversed());
  });

  test('A3: pages of several megabytes have the items as they were stored, at every read', async () => {
    const { store } = await open();
    const picture = (letter: string) => ({
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text: letter.repeat(1_500_000) }],
    });
    const [given, made] = [[picture('a'), picture('ü')], { ...picture('c'), id: 'msg_one', role: 'assistant' }];
    await store.save(said('one', { input: given, response: { id: 'one', output: [made] } }));
    await store.save(said('two', { previousId: 'one', input: [picture('d')] }));
    const history = openHistory(store, 1_000, bounds);
    const look = async () => (await pageIn(history, 'two', { order: 'asc' })).data;
    const [first, again] = await Promise.all([look(), look()]);
    expect(first?.map(({ content }) => JSON.stringify(content))).toEqual(
      [...given, made, picture('d')].map(({ content }) => JSON.stringify(content)),
    );
    expect(JSON.stringify(again) === JSON.stringify(first)).toBe(true);
  });

  test('A3: ends a page before it exceeds the size limit of a request', async () => {
    const { store } = await open();
    await talk(store);
    const history = openHistory(store, 1_000, { ...bounds, maxBytes: 250_000 });
    const page = await pageIn(history, 'four', { limit: 100, order: 'asc' });
    expect([page.data.length, page.has_more]).toEqual([4, true]);
  });

  test('A3: measures a chain without reading its content, up to a maximum size, counting only its items', async () => {
    const { store, forgetOutlines } = await open();
    await talk(store);
    const { store: watched, read } = counted(store);
    const extent = await watched.measureChain('ada', 'four', 10_000_000);
    const { input, response } = said('four');
    const listed = Buffer.byteLength(JSON.stringify(input) + JSON.stringify(response.output));
    expect(extent).toMatchObject({ links: 4, previousId: null });
    expect(Math.abs((extent?.bytes ?? 0) - 4 * listed)).toBeLessThan(50);
    expect(await watched.measureChain('ada', 'four', 300_000)).toMatchObject({ links: 2, previousId: 'two' });
    expect(await watched.measureChain('ada', 'none', 300_000)).toBeUndefined();
    expect(read()).toBeLessThan(20);
    await forgetOutlines();
    expect((await store.measureChain('ada', 'four', 10_000_000))?.bytes).toBeGreaterThan(4 * 400_000);
  });

  test('A3: returns the same conversation with outlines and without, and no more values than a body may have', async () => {
    const { store, forgetOutlines } = await open();
    await talk(store);
    const history = openHistory(store, 1_000, bounds);
    const value = { input: 'And?', previous_response_id: 'four' };
    const { items } = await history.expand(ada, { value, bytes: Buffer.alloc(10) }, 'east');
    expect(items).toHaveLength(17);
    await forgetOutlines();
    expect((await history.expand(ada, { value, bytes: Buffer.alloc(10) }, 'east')).items).toEqual(items);
    const dense = Array.from({ length: 50_000 }, () => 0);
    for (const [index, id] of ['a', 'b'].entries())
      await store.save(said(id, { previousId: ['a'][index - 1] ?? null, input: [{ dense }] }));
    const expand = (id: string) => history.expand(ada, { value: { ...value, previous_response_id: id }, bytes: Buffer.alloc(10) }, 'east');
    expect((await expand('a')).items).toHaveLength(4);
    await expect(expand('b')).rejects.toMatchObject({ code: 'request_too_large', param: 'previous_response_id' });
  });

  test('A3: runs other work on the event loop while a long chain is parsed', async () => {
    const { store } = await open();
    const ids = Array.from({ length: 16 }, (_, index) => `turn_${index}`);
    for (const [index, id] of ids.entries()) await store.save(said(id, { previousId: ids[index - 1] ?? null }));
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const value = { input: 'And?', previous_response_id: ids.at(-1) };
    await openHistory(store, 1_000, bounds).expand(ada, { value, bytes: Buffer.alloc(10) }, 'east');
    isOver = true;
    expect(turns).toBeGreaterThanOrEqual(3);
  });

  test('A2: adds up the sizes of all referenced items before reading any item, and reads each once', async () => {
    const { store } = await open();
    await store.save(said('one', { response: { id: 'one', output: [{ id: 'msg_one', type: 'message', text: PICTURE }] } }));
    const { store: watched, read } = counted(store);
    const history = openHistory(watched, 1_000, { ...bounds, maxBytes: 1_000_000 });
    const refer = (count: number) => {
      const input = Array.from({ length: count }, () => ({ type: 'item_reference', id: 'msg_one' }));
      return history.expand(ada, { value: { input }, bytes: Buffer.alloc(10) }, 'east');
    };
    await expect(refer(4_000)).rejects.toMatchObject({ code: 'request_too_large', param: 'input[4].id' });
    expect(read()).toBeLessThan(20);
    const { own, ownBytes } = await refer(4);
    expect([own.length, new Set(own).size]).toEqual([4, 1]);
    expect(ownBytes).toBeGreaterThan(800_000);
    expect(read()).toBeLessThan(210_000);
  });

  test('A3: counts the stored bytes of an account correctly after every change', async () => {
    const { store } = await open();
    expect(await store.countStoredBytes('ada')).toBe(0);
    const [one, two] = [said('one'), said('two', { createdAt: 2_000 })];
    await store.save(one);
    await store.save(two);
    await store.save(said('one', { accountId: 'bob' }));
    expect(await store.countStoredBytes('ada')).toBe(bytesOf(one) + bytesOf(two));
    const shorter = said('one', { input: [{ role: 'user', content: 'short' }] });
    await store.save(shorter);
    await store.save(shorter);
    expect(await store.countStoredBytes('ada')).toBe(bytesOf(shorter) + bytesOf(two));
    expect(await store.sweep(1_500)).toBe(2);
    expect([await store.countStoredBytes('ada'), await store.countStoredBytes('bob')]).toEqual([bytesOf(two), 0]);
    await store.remove('ada', 'two');
    expect(await store.countStoredBytes('ada')).toBe(0);
  });
});
