/** An upstream at its concurrency limit: the next call is rejected at once, waits, or goes to another upstream. */
import { expect, test } from 'vitest';
import { later } from '../../fakes/faults.ts';
import { expectRefusal } from '../../harness/refusal.ts';
import { attemptsOf, chargesOf, openStage, says, streams, textOf } from '../routing/stage.ts';

const alone = [{ upstream: 'main' }];

test('rejects a call over the limit immediately and free of charge, and serves it when the others have ended', async () => {
  const { gateway, main, ask, asked } = await openStage({
    candidates: alone,
    main: { maxConcurrentRequests: 2 },
    routing: { breaker: { failures: 1 } },
  });
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  main.next(later(gate, says('one'))).next(later(gate, streams('two')));
  const running = [ask(), ask({ stream: true })];
  await main.arrival(1);
  // Both of them still wait for the vendor.
  const rejected = await ask();
  expect(rejected.headers.get('retry-after')).toBe('1');
  expect(attemptsOf(rejected)).toBe('main');
  await expectRefusal(rejected, { code: 'overloaded' });
  expect((await chargesOf(gateway)).filter(({ state }) => state === 'voided')).toMatchObject([{ charged: '0.000000' }]);
  expect(gateway.gateway.health.getStates()).toMatchObject([{ upstream: 'main', state: 'closed' }]);
  open();
  for (const answer of await Promise.all(running)) expect([answer.status, (await answer.text()).length > 0]).toEqual([200, true]);
  main.next(says('three'));
  expect([await textOf(await ask()), asked()]).toEqual(['three', [3, 0]]);
});

test('serves a call over the limit by another upstream', async () => {
  const { main, backup, ask, asked } = await openStage({ main: { maxConcurrentRequests: 1 } });
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  main.next(later(gate, says('one')));
  backup.next(says('two'));
  const running = ask();
  await main.arrival(0);
  const answer = await ask();
  expect([await textOf(answer), attemptsOf(answer)]).toEqual(['two', 'main, backup 200']);
  open();
  expect([await textOf(await running), asked()]).toEqual(['one', [1, 1]]);
});

test('counts no attempt for a full upstream', async () => {
  const { main, backup, ask } = await openStage({ main: { maxConcurrentRequests: 1 }, routing: { maxAttempts: 1 } });
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  main.next(later(gate, says('one')));
  backup.next(says('two'));
  const running = ask();
  await main.arrival(0);
  expect(await textOf(await ask())).toBe('two');
  open();
  expect(await textOf(await running)).toBe('one');
});

test('G6: sends and charges nothing when a caller disconnects while waiting for a connection, also to drain', async () => {
  const { gateway, main, ask, asked } = await openStage({
    candidates: alone,
    main: { maxConcurrentRequests: 1, maxPendingRequests: 1, onClientDisconnect: 'drain' },
  });
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  main.next(later(gate, says('one'))).next(says('for nobody'));
  const running = ask();
  await main.arrival(0);
  const leaving = new AbortController();
  const left = ask({}, { signal: leaving.signal });
  await expect.poll(() => gateway.gateway.money?.open.size).toBe(2);
  await new Promise(setImmediate);
  leaving.abort();
  await expect(left).rejects.toThrow();
  expect(await gateway.lineWhere(({ end }) => end === 'client_disconnected')).not.toHaveProperty('cost');
  open();
  expect([await textOf(await running), asked()]).toEqual(['one', [1, 0]]);
  expect((await chargesOf(gateway)).map(({ state }) => state).toSorted()).toEqual(['posted', 'voided']);
});

test('serves the next call after a caller who waited for a connection disconnected', async () => {
  const { gateway, main, ask } = await openStage({ candidates: alone, main: { maxConcurrentRequests: 1, maxPendingRequests: 1 } });
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  main.next(later(gate, says('one'))).next(says('two'));
  const running = ask();
  await main.arrival(0);
  const leaving = new AbortController();
  const left = ask({}, { signal: leaving.signal });
  await expect.poll(() => gateway.gateway.upstreams.find('main').getState?.().waiting).toBe(1);
  leaving.abort();
  await expect(left).rejects.toThrow();
  await gateway.lineWhere(({ end }) => end === 'client_disconnected');
  open();
  expect([await textOf(await running), await textOf(await ask())]).toEqual(['one', 'two']);
});

test('frees the connections of callers who disconnect and of responses that break', async () => {
  const { gateway, main, ask } = await openStage({ candidates: alone, main: { maxConcurrentRequests: 1 } });
  for (let count = 0; count < 3; count++) {
    const leaving = new AbortController();
    main.next([{ kind: 'stall' }]);
    const left = ask({}, { signal: leaving.signal });
    await main.arrival(main.requests.length);
    leaving.abort();
    await expect(left).rejects.toThrow();
    await gateway.lineWhere(() => gateway.lines.filter(({ end }) => end === 'client_disconnected').length > count);
  }
  main.next([{ kind: 'cut' }]).next(says('after a broken one'));
  expect(await textOf(await ask())).toBe('after a broken one');
});

test('rejects one of two more calls with a queue of one, and serves the other when the first has ended', async () => {
  const { main, ask, asked } = await openStage({ candidates: alone, main: { maxConcurrentRequests: 1, maxPendingRequests: 1 } });
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  main.next(later(gate, says('one'))).next(says('two'));
  const running = ask();
  await main.arrival(0);
  const waiting = ask();
  // The order is not known: one of them waits, the other is rejected.
  const third = ask();
  const first = await Promise.race([waiting, third]);
  await expectRefusal(first, { code: 'overloaded' });
  expect(asked()).toEqual([1, 0]);
  open();
  expect(await textOf(await running)).toBe('one');
  const served = (await Promise.all([waiting, third])).filter(({ status }) => status === 200);
  expect([served.length, asked()]).toEqual([1, [2, 0]]);
});
