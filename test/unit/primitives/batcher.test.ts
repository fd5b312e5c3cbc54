/** When steps go to the store: nobody waits for somebody who does not come (promise G1 at a low price). */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Batcher } from '../../../server/primitives/batcher.ts';

/** Orders that wait, and how many went together each time. */
class Stop {
  expected = 0;
  readonly went: number[] = [];
  readonly batcher = new Batcher<string, void>({
    send: () => this.went.push(this.batcher.take(100).length),
    expected: () => this.expected,
  });

  hurry(): void {
    this.batcher.add('one');
    this.batcher.sendSoon();
  }

  come(callers = 1): void {
    for (let left = callers; left > 0; left--) {
      this.batcher.add('one');
      this.batcher.plan();
    }
  }
}

async function turns(count: number): Promise<void> {
  for (let left = count; left > 0; left--) await nextTurn();
}

describe('a batch of steps', () => {
  let stop: Stop;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    stop = new Stop();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('goes in the turn of a caller whom nobody follows', async () => {
    stop.come();
    await turns(1);
    expect(stop.went).toEqual([1]);
  });

  test('takes along whoever calls within the same turn', async () => {
    stop.come(3);
    await turns(3);
    expect(stop.went).toEqual([3]);
  });

  test('waits for a caller who is under way, and goes with them', async () => {
    stop.expected = 1;
    stop.come();
    await turns(10);
    expect(stop.went).toEqual([]);
    stop.expected = 0;
    stop.come();
    await turns(3);
    expect(stop.went).toEqual([2]);
    // The moment that was cut short sends nothing a second time.
    await vi.advanceTimersByTimeAsync(50);
    expect(stop.went).toEqual([2]);
  });

  test('waits a moment at most for callers whose upstreams take long', async () => {
    stop.expected = 100;
    stop.come(2);
    await turns(5);
    await vi.advanceTimersByTimeAsync(3);
    expect(stop.went).toEqual([]);
    await vi.advanceTimersByTimeAsync(2);
    expect(stop.went).toEqual([2]);
  });

  test('goes as soon as it is large enough, whoever else may come', async () => {
    stop.expected = 100;
    stop.come();
    await turns(3);
    stop.come(7);
    await turns(4);
    expect(stop.went).toEqual([8]);
  });

  test('stands still for nobody where calls come one by one beside a long stream, but for a look now and then', async () => {
    stop.expected = 1;
    const waited: boolean[] = [];
    for (let call = 0; call < 33; call++) {
      const before = stop.went.length;
      stop.come();
      await turns(3);
      waited.push(stop.went.length === before);
      await vi.advanceTimersByTimeAsync(10);
      expect(stop.went).toHaveLength(before + 1);
    }
    expect(waited.slice(0, 9)).toEqual(Array(9).fill(true));
    expect(waited.slice(9).filter(Boolean)).toHaveLength(3);
  });

  test('goes in this turn with a caller who waits for nobody, and takes along those who waited', async () => {
    stop.expected = 100;
    stop.come(2);
    await turns(5);
    expect(stop.went).toEqual([]);
    stop.hurry();
    await turns(1);
    expect(stop.went).toEqual([3]);
    // Whoever is first in the turn, and has begun to look around for others.
    stop.come();
    stop.hurry();
    await turns(1);
    expect(stop.went).toEqual([3, 2]);
    await vi.advanceTimersByTimeAsync(50);
    expect(stop.went).toEqual([3, 2]);
  });

  test('waits for the store where that has to start again first', async () => {
    stop.batcher.add('one');
    stop.batcher.plan(25);
    await turns(5);
    await vi.advanceTimersByTimeAsync(24);
    expect(stop.went).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(stop.went).toEqual([1]);
  });
});

describe('of those who wait', () => {
  const batcherOf = (...orders: readonly string[]) => {
    const batcher = new Batcher<string, number>({ send: () => undefined });
    return { batcher, waiting: orders.map((order) => batcher.add(order)) };
  };
  const ordersOf = (batch: readonly { readonly order: string }[]): string[] => batch.map(({ order }) => order);

  test('those who came first go first, and the others stay', () => {
    const { batcher } = batcherOf('a', 'b', 'c');
    expect([ordersOf(batcher.take(2)), ordersOf(batcher.take(2)), batcher.take(2)]).toEqual([['a', 'b'], ['c'], []]);
  });

  test('two with one name do not go together, and the second keeps its place', () => {
    const { batcher } = batcherOf('a1', 'b1', 'a2', 'b2', 'c1');
    const nameOf = ([name = '']: string): string => name;
    expect(ordersOf(batcher.take(2, nameOf))).toEqual(['a1', 'b1']);
    batcher.add('a3');
    expect(ordersOf(batcher.take(9, nameOf))).toEqual(['a2', 'b2', 'c1']);
    expect(ordersOf(batcher.take(9, nameOf))).toEqual(['a3']);
  });

  test('whoever could not go is first again, and whoever was dropped does not go at all', () => {
    const { batcher, waiting } = batcherOf('a', 'b', 'c');
    const [first, second] = batcher.take(2);
    if (first && second) batcher.putBack([first, second]);
    if (waiting[1]) batcher.drop(waiting[1]);
    expect([batcher.size, waiting.map(({ isDropped }) => isDropped)]).toEqual([2, [false, true, false]]);
    expect(ordersOf(batcher.take(9))).toEqual(['a', 'c']);
  });

  test('each hears the answer to its own order', async () => {
    const { batcher, waiting } = batcherOf('a', 'b');
    for (const { order, resolve, reject } of batcher.take(9)) order === 'a' ? resolve(1) : reject(new Error('no'));
    const results = await Promise.allSettled(waiting.map(({ promise }) => promise));
    expect(results).toMatchObject([{ value: 1 }, { reason: { message: 'no' } }]);
  });
});
