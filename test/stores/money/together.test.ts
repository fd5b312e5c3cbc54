/** Concurrent calls share commits on PostgreSQL, even if they come in different event-loop turns; a single call does not wait (promise G1 at a low cost). */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { postgresName, usePostgres } from '../../harness/postgres.ts';
import { postgresMissing } from '../../harness/servers.ts';
import { noon, order, posting, topUp } from '../../unit/money/open.ts';
import { openPostgresEngine } from './engines.ts';

describe.skipIf(postgresMissing !== null)(postgresName, () => {
  const server = usePostgres();
  const open = async () => {
    const engine = await openPostgresEngine(server, ['ada']);
    await topUp(engine.ledger, 'ada', 1_000_000n);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    return {
      ...engine,
      hold: (requestId: string) => engine.ledger.reserve(order({ requestId, amount: 10n })),
      /** Of the rows of charges, as they are now. */
      commits: async () => Number((await engine.rows('SELECT count(DISTINCT xmin::TEXT) FROM charges'))[0]?.[0]),
    };
  };
  /** One in each turn of the event loop. */
  const oneByOne = async <T>(count: number, call: (index: number) => Promise<T>): Promise<T[]> => {
    const calls: Promise<T>[] = [];
    for (let index = 0; index < count; index++) {
      calls.push(call(index));
      await nextTurn();
    }
    return Promise.all(calls);
  };
  /** The same, until the moment is over for which the first of them waits. */
  const inAMoment = async <T>(count: number, call: (index: number) => Promise<T>): Promise<T[]> => {
    const called = oneByOne(count, call);
    for (let turn = 0; turn < 2 * count; turn++) await nextTurn();
    await vi.advanceTimersByTimeAsync(5);
    return called;
  };

  test('shares a commit among callers of four turns while another one is upstream, for their holds and their charges', async () => {
    const { ledger, hold, commits } = await open();
    await hold('first');
    const held = await inAMoment(4, (index) => hold(`r${index}`));
    expect(held.map(({ kind }) => kind)).toEqual(Array(4).fill('held'));
    expect(await commits()).toBe(2);
    await inAMoment(4, (index) => ledger.post(posting(`r${index}`, 5n)));
    expect(await commits()).toBe(2);
    expect(await ledger.getBalance('ada')).toMatchObject({ held: 10n });
    expect(await ledger.reconcile()).toMatchObject({ differences: [] });
  });

  test('commits for eight callers without waiting for the remainder of the delay', async () => {
    const { hold, commits } = await open();
    await hold('first');
    await oneByOne(8, (index) => hold(`r${index}`));
    expect(await commits()).toBe(2);
  });

  test('commits each call of a single caller separately', async () => {
    const { ledger, hold, commits } = await open();
    for (const id of ['r0', 'r1', 'r2']) {
      await hold(id);
      await (id === 'r0' ? ledger.void(id, noon, 'failed') : ledger.post(posting(id, 5n)));
    }
    expect(await commits()).toBe(3);
  });
});
