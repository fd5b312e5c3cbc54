/** An upstream with as many requests as it may have at once: the next caller is told so at once, or served elsewhere. */
import { expect, test } from 'vitest';
import { later } from '../../fakes/faults.ts';
import { expectRefusal } from '../../harness/refusal.ts';
import { attemptsOf, chargesOf, openStage, says, streams, textOf } from '../routing/stage.ts';

const alone = [{ upstream: 'main' }];

test('the third of three callers is refused at once where two may call, pays nothing, and may come again', async () => {
  const { gateway, main, ask, asked } = await openStage({
    candidates: alone,
    main: { connections: 2 },
    routing: { breaker: { failures: 1 } },
  });
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  main.next(later(gate, says('one'))).next(later(gate, streams('two')));
  const running = [ask(), ask({ stream: true })];
  await main.arrival(1);
  // Both of them still wait for the vendor.
  const refused = await ask();
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(attemptsOf(refused)).toBe('main');
  await expectRefusal(refused, { code: 'overloaded', says: 'at once' });
  expect((await chargesOf(gateway)).filter(({ state }) => state === 'voided')).toMatchObject([{ charged: '0.000000' }]);
  expect(gateway.gateway.health.states()).toMatchObject([{ upstream: 'main', state: 'closed' }]);
  open();
  for (const answer of await Promise.all(running)) expect([answer.status, (await answer.text()).length > 0]).toEqual([200, true]);
  main.next(says('three'));
  expect([await textOf(await ask()), asked()]).toEqual(['three', [3, 0]]);
});

test('a caller for whom there is no room is served by another upstream', async () => {
  const { main, backup, ask, asked } = await openStage({ main: { connections: 1 } });
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

test('an upstream that has no room was not asked: it takes none of the attempts of a call', async () => {
  const { main, backup, ask } = await openStage({ main: { connections: 1 }, routing: { maxAttempts: 1 } });
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  main.next(later(gate, says('one')));
  backup.next(says('two'));
  const running = ask();
  await main.arrival(0);
  expect(await textOf(await ask())).toBe('two');
  open();
  expect(await textOf(await running)).toBe('one');
});

test('G6: who leaves while there is no room yet is never asked for upstream, also where answers are heard out', async () => {
  const { gateway, main, ask, asked } = await openStage({
    candidates: alone,
    main: { connections: 1, queue: 1, onClientGone: 'drain' },
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
  expect(await gateway.lineWhere(({ end }) => end === 'client_gone')).not.toHaveProperty('cost');
  open();
  expect([await textOf(await running), asked()]).toEqual(['one', [1, 0]]);
  expect((await chargesOf(gateway)).map(({ state }) => state).toSorted()).toEqual(['posted', 'voided']);
});

test('callers who leave, and answers that break, take no room with them', async () => {
  const { gateway, main, ask } = await openStage({ candidates: alone, main: { connections: 1 } });
  for (let count = 0; count < 3; count++) {
    const leaving = new AbortController();
    main.next([{ kind: 'stall' }]);
    const left = ask({}, { signal: leaving.signal });
    await main.arrival(main.requests.length);
    leaving.abort();
    await expect(left).rejects.toThrow();
    await gateway.lineWhere(() => gateway.lines.filter(({ end }) => end === 'client_gone').length > count);
  }
  main.next([{ kind: 'cut' }]).next(says('after a broken one'));
  expect(await textOf(await ask())).toBe('after a broken one');
});

test('where some may wait, a caller is served as soon as another one’s answer has ended', async () => {
  const { main, ask, asked } = await openStage({ candidates: alone, main: { connections: 1, queue: 1 } });
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  main.next(later(gate, says('one'))).next(says('two'));
  const running = ask();
  await main.arrival(0);
  const waiting = ask();
  // In no order that is known one of them waits, and the other is over the bound.
  const third = ask();
  const first = await Promise.race([waiting, third]);
  await expectRefusal(first, { code: 'overloaded' });
  expect(asked()).toEqual([1, 0]);
  open();
  expect(await textOf(await running)).toBe('one');
  const served = (await Promise.all([waiting, third])).filter(({ status }) => status === 200);
  expect([served.length, asked()]).toEqual([1, [2, 0]]);
});
