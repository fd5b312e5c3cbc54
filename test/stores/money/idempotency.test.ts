/** Idempotency keys on each engine: one claim, one answer, and the next request takes over the claim of a dead process (F40). */
import { test as base, describe, expect, onTestFinished, vi } from 'vitest';
import type { ClaimState, IdempotencyClaim, IdempotencyStore } from '../../../server/money/idempotency.ts';
import { idempotencyStoreDefinition } from '../../../server/money/idempotency.ts';
import { openDatabase, runInline } from '../../../server/store/sqlite/database.ts';
import { temporaryFolder } from '../../harness/folder.ts';
import { postgresName, usePostgres } from '../../harness/postgres.ts';
import { postgresMissing } from '../../harness/servers.ts';

interface Place {
  readonly store: IdempotencyStore;
  exec(sql: string): Promise<void>;
}

const engines = [
  { title: 'sqlite', isMissing: false, isClockOfOthers: false, use: () => openEmbedded },
  { title: postgresName, isMissing: postgresMissing !== null, isClockOfOthers: true, use: useServer },
];

async function openEmbedded(): Promise<Place> {
  const { connection, close } = openDatabase({ folder: temporaryFolder(), durability: 'relaxed' });
  onTestFinished(close);
  return {
    store: idempotencyStoreDefinition.onSqlite({ connection, steps: runInline(connection, idempotencyStoreDefinition.steps) }),
    exec: async (sql) => connection.exec(sql),
  };
}

function useServer(): () => Promise<Place> {
  const server = usePostgres();
  return async () => {
    const { postgres } = await server.fresh();
    return { store: idempotencyStoreDefinition.onPostgres(postgres), exec: async (sql) => void (await postgres.query({ text: sql })) };
  };
}

const claim = (changes: Partial<IdempotencyClaim> = {}): IdempotencyClaim => ({
  accountId: 'ada',
  key: 'k1',
  fingerprint: 'f1',
  requestId: 'r1',
  node: 'node_1',
  at: 1_000,
  ...changes,
});
/** Claims the key, or tells who has it. */
const take = async (store: IdempotencyStore, asked: IdempotencyClaim): Promise<ClaimState | { readonly kind: 'claimed' }> =>
  (await store.claim(asked)) ? { kind: 'claimed' } : await store.find(asked);
const answer = { contentType: 'application/json', bytes: Buffer.from([0, 1, 2, 255, 123]) };
const lives = (node: string) => `INSERT INTO nodes (id, seen_at) VALUES ('${node}', 1000)`;

const charged = (requestId: string) => `
  INSERT INTO charges (request_id, account_id, key_id, model, operation, price_version, multiplier, state, node, source, held, created_at)
  VALUES ('${requestId}', 'ada', 'key', 'm', 'createChatCompletion', 1, 1, 'posted', 'node_1', 'balance', 0, 1000)`;

describe.each(engines)('$title', ({ isMissing, isClockOfOthers, use }) => {
  const test = base.skipIf(isMissing);
  const open = use();

  test('charges a caller once if the process died between the charge and storing the response', async () => {
    const { store, exec } = await open();
    await exec(lives('node_2'));
    expect(await take(store, claim())).toEqual({ kind: 'claimed' });
    await exec(charged('r1'));
    expect(await take(store, claim({ requestId: 'r2', node: 'node_2' }))).toEqual({ kind: 'running' });
  });

  test('returns the response to a repeated request, and an error while it runs and with another body', async () => {
    const { store, exec } = await open();
    await exec(lives('node_1'));
    expect(await take(store, claim())).toEqual({ kind: 'claimed' });
    const again = claim({ requestId: 'r2', node: 'node_2' });
    expect(await take(store, again)).toEqual({ kind: 'running' });
    expect(await take(store, { ...again, fingerprint: 'f2' })).toEqual({ kind: 'other_request' });
    await store.saveResult(claim(), answer);
    const replayed = await take(store, again);
    expect(replayed).toMatchObject({ kind: 'answered', requestId: 'r1', answer: { contentType: 'application/json' } });
    expect(replayed.kind === 'answered' && [...replayed.answer.bytes]).toEqual([...answer.bytes]);
    expect(await take(store, { ...again, fingerprint: 'f2' })).toEqual({ kind: 'other_request' });
    expect(await take(store, claim({ accountId: 'bob' }))).toEqual({ kind: 'claimed' });
  });

  test('grants one of many concurrent requests the same key', async () => {
    const { store, exec } = await open();
    for (let node = 0; node < 5; node++) await exec(lives(`node_${node}`));
    const claims = Array.from({ length: 100 }, (_, index) => take(store, claim({ requestId: `r${index}`, node: `node_${index % 5}` })));
    const kinds = (await Promise.all(claims)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'claimed')).toHaveLength(1);
    expect(kinds.filter((kind) => kind === 'running')).toHaveLength(99);
  });

  test('frees the key of a request that came to nothing, and keeps that of a completed one', async () => {
    const { store, exec } = await open();
    await exec(lives('node_1'));
    await take(store, claim());
    await store.release(claim({ requestId: 'other' }));
    expect((await take(store, claim({ requestId: 'r2' }))).kind).toBe('running');
    await store.release(claim());
    expect((await take(store, claim({ requestId: 'r2' }))).kind).toBe('claimed');
    await store.saveResult(claim({ requestId: 'r1' }), answer);
    expect((await take(store, claim({ requestId: 'r3' }))).kind).toBe('running');
    await store.saveResult(claim({ requestId: 'r2' }), answer);
    await store.release(claim({ requestId: 'r2' }));
    expect(await take(store, claim({ requestId: 'r3' }))).toMatchObject({ kind: 'answered', requestId: 'r2' });
  });

  test('gives the claim of a dead process to the next request, once', async () => {
    const { store, exec } = await open();
    await exec(lives('node_1'));
    await exec(lives('node_2'));
    await take(store, claim());
    expect((await take(store, claim({ requestId: 'r2', node: 'node_2' }))).kind).toBe('running');
    await exec("DELETE FROM nodes WHERE id = 'node_1'");
    expect((await take(store, claim({ requestId: 'r2', node: 'node_2', fingerprint: 'f2' }))).kind).toBe('other_request');
    const both = [claim({ requestId: 'r3', node: 'node_2' }), claim({ requestId: 'r4', node: 'node_2' })];
    expect((await Promise.all(both.map((one) => take(store, one)))).map(({ kind }) => kind).sort()).toEqual(['claimed', 'running']);
  });

  test('deletes keys that are too old in a sweep', async () => {
    const { store, exec } = await open();
    await exec(lives('node_1'));
    await take(store, claim({ at: 999 }));
    await store.saveResult(claim(), answer);
    await take(store, claim({ key: 'k2' }));
    expect(await store.sweep(1_000, 2_000)).toBe(1);
    expect((await take(store, claim({ requestId: 'r9' }))).kind).toBe('claimed');
    expect((await take(store, claim({ key: 'k2', requestId: 'r9' }))).kind).toBe('running');
  });

  test('keeps a response for the promised time, even if the clock of a process is ahead', async () => {
    const { store } = await open();
    const { at: _, ...now } = claim();
    await take(store, now);
    await store.saveResult(claim(), answer);
    expect(await store.sweep(60_000)).toBe(0);
    if (isClockOfOthers) {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_000 });
      onTestFinished(() => void vi.useRealTimers());
      expect(await store.sweep(60_000)).toBe(0);
    }
    expect(await take(store, { ...now, requestId: 'r2' })).toMatchObject({ kind: 'answered', requestId: 'r1' });
    expect(await store.sweep(-60_000)).toBe(1);
  });
});
