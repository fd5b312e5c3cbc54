/** When steps go to the store: nobody waits for somebody who does not come (promise G1 at a low price). */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { BatchScheduler } from '../../../server/primitives/batch-scheduler.ts';

/** The steps that wait, and how many went together each time. */
class Stop {
  waiting = 0;
  expected = 0;
  readonly went: number[] = [];
  readonly departure = new BatchScheduler({
    go: () => {
      this.went.push(this.waiting);
      this.departure.note(this.waiting);
      this.waiting = 0;
    },
    waiting: () => this.waiting,
    expected: () => this.expected,
  });

  hurry(): void {
    this.waiting++;
    this.departure.hurry();
  }

  come(callers = 1): void {
    for (let left = callers; left > 0; left--) {
      this.waiting++;
      this.departure.plan();
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
    stop.waiting = 1;
    stop.departure.plan(25);
    await turns(5);
    await vi.advanceTimersByTimeAsync(24);
    expect(stop.went).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(stop.went).toEqual([1]);
  });
});
