/** The attempts of a call on a clock that the test holds: how many, how far apart, until when, and which vendor is waited for (promise G5, A6, F59). */
import { describe, expect, test } from 'vitest';
import { failure } from '../../fakes/faults.ts';
import { holdClock } from '../../harness/held-clock.ts';
import { expectRefusal } from '../../harness/refusal.ts';
import { alone, attemptsOf, says, textOf, useStage } from './stage.ts';

const busy = (status: number, seconds: number) => failure(status, { headers: { 'retry-after': String(seconds) } });

describe('G5: the only upstream of a model', () => {
  const stage = useStage({ candidates: alone, routing: { maxAttempts: 10 } });

  test.each([
    ['returns 500', 2, failure(500)],
    ['returns 408', 2, failure(408)],
    ['limits the rate', 2, failure(429)],
    ['returns 503 with retry-after 2', 2, busy(503, 2)],
    ['returns 503 with retry-after 3', 1, busy(503, 3)],
    ["rejects the gateway's key", 1, failure(401)],
    ['does not have the model', 1, failure(404)],
  ])('fails a call when it %s, after %i of ten allowed attempts', async (_title, times, script) => {
    holdClock();
    const { main, ask, asked, chargeOf } = stage();
    main.always(script);
    const answer = await ask();
    expect([answer.ok, asked()]).toEqual([false, [times, 0]]);
    expect(await chargeOf(answer)).toMatchObject({ state: 'voided', charged: 0n });
  });

  test('F59: forwards the retry-after of its provider, and gets the next call', async () => {
    holdClock();
    const { main, ask, asked } = stage();
    main.next(busy(429, 7)).next(says('at once'));
    const rejected = await ask();
    expect(rejected.headers.get('retry-after')).toBe('7');
    await expectRefusal(rejected, { code: 'rate_limit_exceeded' });
    expect([await textOf(await ask()), asked()]).toEqual(['at once', [2, 0]]);
  });
});

describe('G5: an upstream with six API keys that are rejected', () => {
  const apiKeys = ['one', 'two', 'three', 'four', 'five', 'six'];
  const stage = useStage({ candidates: alone, routing: { maxAttempts: 5 }, main: { apiKey: undefined, apiKeys } });

  test.each([
    [0, [100, 200, 400, 800]],
    [1, [200, 400, 800, 1_600]],
  ])('gets requests until maxAttempts, with pauses that double (jitter: %i)', async (chance, pauses) => {
    const clock = holdClock(chance);
    const { main, ask, asked } = stage();
    // A rate limit makes a key unavailable for this model only, so the next test has all keys.
    main.always(failure(429));
    await expectRefusal(await ask(), { code: 'rate_limit_exceeded' });
    expect([asked(), clock.pauses]).toEqual([[5, 0], pauses]);
  });
});

describe('G5: maxAttempts', () => {
  const three = ['one', 'two', 'three'].map((upstreamModel, index) => ({ upstream: 'main', upstreamModel, priority: index + 1 }));
  const stage = useStage({ candidates: three, routing: { maxAttempts: 10 } });

  test('allows no third request to a candidate at ten, and tries a failed one after all others', async () => {
    holdClock();
    const { main, ask } = stage();
    main.always(failure(500));
    await expectRefusal(await ask(), { code: 'upstream_error' });
    expect(main.requests.map(({ fields }) => fields.model)).toEqual(['one', 'two', 'three', 'one', 'two', 'three']);
  });
});

describe.each([1, 2, 3])('G5: maxAttempts of %i', (maxAttempts) => {
  const stage = useStage({ routing: { maxAttempts } });

  test('bounds the attempts at two upstreams, and the caller is charged nothing and gets the last error', async () => {
    const { main, backup, ask, chargeOf } = stage();
    main.always(failure(500));
    backup.always(failure(503));
    const answer = await ask();
    expect(attemptsOf(answer)).toBe(['main 500', 'backup 503', 'main 500'].slice(0, maxAttempts).join(', '));
    expect(await chargeOf(answer)).toMatchObject({ state: 'voided', charged: 0n });
    await expectRefusal(answer, { code: maxAttempts === 2 ? 'upstream_unavailable' : 'upstream_error' });
  });
});

describe('G5: the deadline', () => {
  const stage = useStage({ routing: { maxAttempts: 10, deadlineMs: 1_000 } });

  test.each([
    [1_000, 'main 500, backup 200'],
    [1_001, 'main 500'],
  ])('ends attempts after 1,000 ms: a failure at %i ms leads to %s', async (ms, attempts) => {
    const clock = holdClock();
    const { main, backup, ask } = stage();
    main.next(() => {
      clock.pass(ms);
      return failure(500);
    });
    backup.always(says('in time'));
    expect(attemptsOf(await ask())).toBe(attempts);
    backup.clear();
  });

  test('ends a call at once when the pause would end after it', async () => {
    const clock = holdClock(0);
    const { main, backup, ask } = stage();
    backup.next(failure(404));
    main.next(() => {
      clock.pass(901);
      return busy(503, 1);
    });
    expect([attemptsOf(await ask()), clock.pauses]).toEqual(['main 503, backup 404', []]);
  });

  test("doesn't apply to the first attempt, since a body may take longer", async () => {
    const clock = holdClock();
    const { gateway, model, main } = stage();
    main.next(says('at last'));
    const text = JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello.' }] });
    const slowly = new ReadableStream({
      async start(controller) {
        controller.enqueue(Buffer.from(text.slice(0, 10)));
        // A whole call beside it: by then the request has begun.
        await (await gateway.call('/models')).text();
        clock.pass(10_000);
        controller.enqueue(Buffer.from(text.slice(10)));
        controller.close();
      },
    });
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${gateway.key}` };
    const answer = await fetch(`${gateway.baseURL}/chat/completions`, { method: 'POST', headers, body: slowly, duplex: 'half' });
    expect(await textOf(answer)).toBe('at last');
  });
});

describe('F59: an upstream with retry-after', () => {
  const stage = useStage({ routing: { maxAttempts: 10 } });

  test.each([
    [2_000, 'main 404, backup 200', [2_100]],
    [2_001, 'main 404', []],
  ])('delays a call that has failed by the remaining %i ms, up to two seconds', async (leftMs, attempts, pauses) => {
    const clock = holdClock();
    const { main, backup, ask } = stage();
    main.always(failure(404));
    backup.next(busy(429, 10)).next(says('rested'));
    expect(attemptsOf(await ask())).toBe('main 404, backup 429');
    clock.pass(10_000 - leftMs);
    expect([attemptsOf(await ask()), clock.pauses]).toEqual([attempts, pauses]);
  });

  test('delays a call by the shortest of different waits', async () => {
    const clock = holdClock();
    const { main, backup, ask } = stage();
    main.next(busy(503, 2));
    backup.next(busy(503, 1)).next(says('rested'));
    expect([attemptsOf(await ask()), clock.pauses]).toEqual(['main 503, backup 503, backup 200', [1_100]]);
  });

  test('gets no calls during the wait, and a new call returns the shortest remaining wait', async () => {
    const clock = holdClock();
    const { main, backup, ask, asked } = stage();
    main.next(busy(429, 600));
    backup.next(says('one')).next(says('two')).next(busy(503, 300));
    expect(attemptsOf(await ask())).toBe('main 429, backup 200');
    expect(attemptsOf(await ask())).toBe('backup 200');
    await expectRefusal(await ask(), { code: 'upstream_unavailable' });
    for (const [passMs, seconds] of [
      [0, '300'],
      [295_999, '5'],
      [3_601, '1'],
    ] as const) {
      clock.pass(passMs);
      const rejected = await ask();
      expect(rejected.headers.get('retry-after')).toBe(seconds);
      await expectRefusal(rejected, { code: 'no_upstream_available' });
    }
    expect([asked(), clock.pauses]).toEqual([[1, 3], []]);
    clock.pass(400);
    backup.next(says('three'));
    expect(attemptsOf(await ask())).toBe('backup 200');
  });
});

describe('A6: an upstream whose breaker is open', () => {
  const cooldownMs = 60_000;
  const stage = useStage({ routing: { maxAttempts: 10, breaker: { failures: 1, cooldownMs } } });

  /** Lets `main` fail, and then takes its trial by a call that waits for `main`. */
  async function tryAside(clock: ReturnType<typeof holdClock>) {
    const { main, backup, ask } = stage();
    main.next(failure(500));
    backup.next(says('from the backup'));
    expect(attemptsOf(await ask())).toBe('main 500, backup 200');
    clock.pass(cooldownMs);
    const trial = Promise.withResolvers<void>();
    main.next([{ kind: 'until', gate: trial.promise }, ...says('tried')]);
    const trying = ask();
    await main.arrival(1);
    return async (): Promise<void> => {
      trial.resolve();
      expect(await textOf(await trying)).toBe('tried');
    };
  }

  test('gets no attempt while another call has the trial', async () => {
    const end = await tryAside(holdClock());
    const { backup, ask, health } = stage();
    backup.next(says('meanwhile'));
    expect(attemptsOf(await ask())).toBe('backup 200');
    await end();
    expect(health()).toEqual(['main closed', 'backup closed']);
  });

  test('gets an attempt beside the trial when no other can serve the call', async () => {
    const end = await tryAside(holdClock());
    const { main, backup, ask } = stage();
    backup.next(failure(404));
    main.next(says('beside it'));
    expect(attemptsOf(await ask())).toBe('backup 404, main 200');
    await end();
  });

  test('gets an attempt when all are open, the soonest cooldown first, and closes at a response', async () => {
    const clock = holdClock();
    const { main, backup, ask, health } = stage();
    main.next(failure(500));
    backup.next(failure(500));
    await expectRefusal(await ask(), { code: 'upstream_error' });
    clock.pass(1_000);
    expect(health()).toEqual(['main open', 'backup open']);
    main.next(says('well again'));
    expect([attemptsOf(await ask()), health()]).toEqual(['main 200', ['main closed', 'backup open']]);
  });

  test('gets one attempt per call when it fails again', async () => {
    holdClock();
    const { main, backup, ask } = stage();
    main.always(failure(500));
    backup.always(failure(500));
    await expectRefusal(await ask(), { code: 'upstream_error' });
    const answer = await ask();
    expect(attemptsOf(answer)).toBe('main 500, backup 500');
  });

  test('gets no attempt while it also cools down by retry-after', async () => {
    holdClock();
    const { main, backup, ask, asked } = stage();
    main.next(busy(503, 5));
    backup.next(busy(503, 5));
    await expectRefusal(await ask(), { code: 'upstream_unavailable' });
    await expectRefusal(await ask(), { code: 'no_upstream_available' });
    expect(asked()).toEqual([1, 1]);
  });
});
