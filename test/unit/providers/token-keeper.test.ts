/** The keeper of an access token: one fetch for all who ask, the next token before the kept one ends, and what happens when none can be fetched. */
import { describe, expect, test } from 'vitest';
import { type RenewalEvent, type Token, TokenCache } from '../../../server/providers/auth/token-cache.ts';

const MINUTE = 60_000;

/** A keeper over a clock of the test, whose fetches the test answers one by one. */
function open() {
  const clock = { now: 0 };
  const heard: RenewalEvent[] = [];
  const fetches: PromiseWithResolvers<Token>[] = [];
  const keeper = new TokenCache(
    () => {
      const fetch = Promise.withResolvers<Token>();
      fetches.push(fetch);
      return fetch.promise;
    },
    { now: () => clock.now, report: (news) => heard.push(news) },
  );
  const answer = (name: string, endsAt: number): Promise<void> => settle(() => fetches.at(-1)?.resolve({ lines: [name], endsAt }));
  const fail = (): Promise<void> => settle(() => fetches.at(-1)?.reject(new Error('the endpoint is down')));
  return { keeper, clock, fetches, answer, fail, heard };
}

async function settle(act: () => void): Promise<void> {
  act();
  await new Promise((resolve) => setImmediate(resolve));
}

test('makes one fetch for a thousand concurrent callers, then returns the kept token without a promise', async () => {
  const { keeper, fetches, answer } = open();
  const asked = Array.from({ length: 1_000 }, () => keeper.getLines());
  await answer('one', 60 * MINUTE);
  expect(new Set((await Promise.all(asked)).map(([line]) => line))).toEqual(new Set(['one']));
  expect(keeper.getLines()).toEqual(['one']);
  expect(fetches).toHaveLength(1);
});

test('returns the kept token from five minutes before its end, while it fetches the next one once', async () => {
  const { keeper, clock, fetches, answer } = open();
  keeper.getLines();
  await answer('one', 60 * MINUTE);
  clock.now = 55 * MINUTE - 1;
  keeper.getLines();
  expect(fetches).toHaveLength(1);
  clock.now = 55 * MINUTE;
  expect(Array.from({ length: 1_000 }, () => keeper.getLines())).toEqual(Array(1_000).fill(['one']));
  expect(fetches).toHaveLength(2);
  await answer('two', 120 * MINUTE);
  expect(keeper.getLines()).toEqual(['two']);
});

test('uses a token with a short life for at least half of it', async () => {
  const { keeper, clock, fetches, answer } = open();
  keeper.getLines();
  await answer('one', 2 * MINUTE);
  clock.now = MINUTE - 1;
  keeper.getLines();
  expect(fetches).toHaveLength(1);
  clock.now = MINUTE;
  expect(keeper.getLines()).toEqual(['one']);
  expect(fetches).toHaveLength(2);
});

describe('while no token can be fetched', () => {
  test('returns the kept token until its end, and calls the endpoint once per second', async () => {
    const { keeper, clock, fetches, answer, fail } = open();
    keeper.getLines();
    await answer('one', 60 * MINUTE);
    clock.now = 56 * MINUTE;
    keeper.getLines();
    await fail();
    expect(Array.from({ length: 100 }, () => keeper.getLines())).toEqual(Array(100).fill(['one']));
    expect(fetches).toHaveLength(2);
    clock.now += 1_000;
    expect(keeper.getLines()).toEqual(['one']);
    expect(fetches).toHaveLength(3);
    await fail();
    clock.now = 60 * MINUTE;
    const late = expect(keeper.getLines()).rejects.toMatchObject({ code: 'upstream_error' });
    await fail();
    await late;
  });

  test('rejects all waiting callers with upstream_error, and serves all after the next fetch', async () => {
    const { keeper, clock, fetches, answer, fail } = open();
    const asked = Array.from({ length: 10 }, async () => keeper.getLines());
    const told = Promise.allSettled(asked);
    await fail();
    expect((await told).map(({ status }) => status)).toEqual(Array(10).fill('rejected'));
    await expect(keeper.getLines()).rejects.toMatchObject({ code: 'upstream_error' });
    expect(fetches).toHaveLength(1);
    clock.now = 1_000;
    const again = keeper.getLines();
    await answer('one', 60 * MINUTE);
    expect([await again, fetches.length]).toEqual([['one'], 2]);
  });
});

describe('a token that the provider rejects', () => {
  test('triggers one new fetch for all callers it failed', async () => {
    const { keeper, fetches, answer } = open();
    keeper.getLines();
    await answer('one', 60 * MINUTE);
    const rejected = await keeper.getLines();
    expect([keeper.invalidate(rejected), keeper.invalidate(rejected)]).toEqual([true, true]);
    const fresh = keeper.getLines();
    await answer('two', 60 * MINUTE);
    expect([await fresh, fetches.length]).toEqual([['two'], 2]);
    expect(keeper.invalidate(rejected), 'another one is there already').toBe(true);
    expect([keeper.getLines(), fetches.length]).toEqual([['two'], 2]);
  });

  test('stays soon after another one: the provider means something else', async () => {
    const { keeper, clock, answer } = open();
    keeper.getLines();
    await answer('one', 60 * MINUTE);
    keeper.invalidate(await keeper.getLines());
    keeper.getLines();
    await answer('two', 60 * MINUTE);
    clock.now = MINUTE - 1;
    expect(keeper.invalidate(await keeper.getLines())).toBe(false);
    expect(keeper.getLines()).toEqual(['two']);
    clock.now = MINUTE;
    expect(keeper.invalidate(await keeper.getLines())).toBe(true);
  });
});

describe('the log of renewals', () => {
  test("reports the first of several failures, with the cached token's expiry, and then the success", async () => {
    const { keeper, clock, answer, fail, heard } = open();
    keeper.getLines();
    await answer('one', 60 * MINUTE);
    for (clock.now = 56 * MINUTE; clock.now < 59 * MINUTE; clock.now += MINUTE) {
      expect(keeper.getLines()).toEqual(['one']);
      await fail();
    }
    expect(heard).toEqual([{ kind: 'failed', cause: new Error('the endpoint is down'), endsAt: 60 * MINUTE }]);
    keeper.getLines();
    await answer('two', 120 * MINUTE);
    expect(heard.slice(1)).toEqual([{ kind: 'renewed' }]);
    clock.now = 116 * MINUTE;
    keeper.getLines();
    await fail();
    expect(heard.map(({ kind }) => kind)).toEqual(['failed', 'renewed', 'failed']);
  });

  test("reports that no token is left when the first one can't be fetched", async () => {
    const { keeper, fail, heard } = open();
    const asked = expect(Promise.resolve(keeper.getLines())).rejects.toMatchObject({ code: 'upstream_error' });
    await fail();
    await asked;
    expect(heard).toMatchObject([{ kind: 'failed', endsAt: null }]);
  });
});
