/** When a batch is sent to the store: no order waits for callers who do not come (promise G1 at a low price). */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Batcher } from '../../../server/primitives/batcher.ts';

/** A batcher, and the sizes of the batches that it sent. */
class RecordedBatches {
  expected = 0;
  readonly sizes: number[] = [];
  readonly batcher = new Batcher<string, void>({
    send: () => this.sizes.push(this.batcher.takeBatch(100).length),
    expected: () => this.expected,
  });

  addSoon(): void {
    this.batcher.add('one');
    this.batcher.sendSoon();
  }

  addOrders(callers = 1): void {
    for (let left = callers; left > 0; left--) {
      this.batcher.add('one');
      this.batcher.scheduleSend();
    }
  }
}

async function turns(count: number): Promise<void> {
  for (let left = count; left > 0; left--) await nextTurn();
}

describe('a batch of steps', () => {
  let recorded: RecordedBatches;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    recorded = new RecordedBatches();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('leaves in the same turn if no other caller is expected', async () => {
    recorded.addOrders();
    await turns(1);
    expect(recorded.sizes).toEqual([1]);
  });

  test('takes the orders of the same turn along', async () => {
    recorded.addOrders(3);
    await turns(3);
    expect(recorded.sizes).toEqual([3]);
  });

  test('waits for an expected caller and takes that order along', async () => {
    recorded.expected = 1;
    recorded.addOrders();
    await turns(10);
    expect(recorded.sizes).toEqual([]);
    recorded.expected = 0;
    recorded.addOrders();
    await turns(3);
    expect(recorded.sizes).toEqual([2]);
    // The timer that was cut short sends nothing.
    await vi.advanceTimersByTimeAsync(50);
    expect(recorded.sizes).toEqual([2]);
  });

  test('waits at most five milliseconds for expected callers', async () => {
    recorded.expected = 100;
    recorded.addOrders(2);
    await turns(5);
    await vi.advanceTimersByTimeAsync(3);
    expect(recorded.sizes).toEqual([]);
    await vi.advanceTimersByTimeAsync(2);
    expect(recorded.sizes).toEqual([2]);
  });

  test('leaves as soon as it has eight orders, though more callers are expected', async () => {
    recorded.expected = 100;
    recorded.addOrders();
    await turns(3);
    recorded.addOrders(7);
    await turns(4);
    expect(recorded.sizes).toEqual([8]);
  });

  test('waits for no expected caller while orders come more rarely than it waits, and waits again when they come often', async () => {
    recorded.expected = 1;
    const addOrder = async (gapMs: number): Promise<boolean> => {
      await vi.advanceTimersByTimeAsync(gapMs);
      const before = recorded.sizes.length;
      recorded.addOrders();
      await turns(3);
      return recorded.sizes.length === before;
    };
    for (let call = 0; call < 8; call++) await addOrder(25);
    expect([await addOrder(25), await addOrder(5)]).toEqual([false, false]);
    for (let call = 0; call < 16; call++) await addOrder(1);
    await vi.advanceTimersByTimeAsync(5);
    expect(await addOrder(1)).toBe(true);
  });

  test('leaves in this turn with sendSoon, with the orders that waited', async () => {
    recorded.expected = 100;
    recorded.addOrders(2);
    await turns(5);
    expect(recorded.sizes).toEqual([]);
    recorded.addSoon();
    await turns(1);
    expect(recorded.sizes).toEqual([3]);
    // Also with an order that came first in this turn and has just begun to wait.
    recorded.addOrders();
    recorded.addSoon();
    await turns(1);
    expect(recorded.sizes).toEqual([3, 2]);
    await vi.advanceTimersByTimeAsync(50);
    expect(recorded.sizes).toEqual([3, 2]);
  });

  test('waits as long as plan says', async () => {
    recorded.batcher.add('one');
    recorded.batcher.scheduleSend(25);
    await turns(5);
    await vi.advanceTimersByTimeAsync(24);
    expect(recorded.sizes).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(recorded.sizes).toEqual([1]);
  });
});

describe('a batch of waiting orders', () => {
  const batcherOf = (...orders: readonly string[]) => {
    const batcher = new Batcher<string, number>({ send: () => undefined });
    return { batcher, waiting: orders.map((order) => batcher.add(order)) };
  };
  const ordersOf = (batch: readonly { readonly order: string }[]): string[] => batch.map(({ order }) => order);

  test('takes the oldest first, and leaves the others', () => {
    const { batcher } = batcherOf('a', 'b', 'c');
    expect([ordersOf(batcher.takeBatch(2)), ordersOf(batcher.takeBatch(2)), batcher.takeBatch(2)]).toEqual([['a', 'b'], ['c'], []]);
  });

  test('takes no two of one name, and keeps the place of the second', () => {
    const { batcher } = batcherOf('a1', 'b1', 'a2', 'b2', 'c1');
    const nameOf = ([name = '']: string): string => name;
    expect(ordersOf(batcher.takeBatch(2, nameOf))).toEqual(['a1', 'b1']);
    batcher.add('a3');
    expect(ordersOf(batcher.takeBatch(9, nameOf))).toEqual(['a2', 'b2', 'c1']);
    expect(ordersOf(batcher.takeBatch(9, nameOf))).toEqual(['a3']);
  });

  test('takes those put back first, and no dropped ones', () => {
    const { batcher, waiting } = batcherOf('a', 'b', 'c');
    const [first, second] = batcher.takeBatch(2);
    if (first && second) batcher.putBack([first, second]);
    if (waiting[1]) batcher.drop(waiting[1]);
    expect([batcher.size, waiting.map(({ isDropped }) => isDropped)]).toEqual([2, [false, true, false]]);
    expect(ordersOf(batcher.takeBatch(9))).toEqual(['a', 'c']);
  });

  test('gives each the result of its own order', async () => {
    const { batcher, waiting } = batcherOf('a', 'b');
    for (const { order, resolve, reject } of batcher.takeBatch(9)) order === 'a' ? resolve(1) : reject(new Error('no'));
    const results = await Promise.allSettled(waiting.map(({ promise }) => promise));
    expect(results).toMatchObject([{ value: 1 }, { reason: { message: 'no' } }]);
  });
});
