/** The limits in use, from memory and from Redis: how much of each is used, and which callers it rejected. */
import { afterEach, test as base, describe, expect } from 'vitest';
import { LimitUse } from '../../../server/limits/limit-use.ts';
import { addAccountLimits } from '../../../server/limits/limit-values.ts';
import { getMaxOwed, type Limit, type Limiter } from '../../../server/limits/limiter.ts';
import { limitOf, takeOf } from '../../unit/limits/limit.ts';
import { type Engine, engines, openMemory } from './engines.ts';

const opened: Limiter[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()));
});

async function open(engine: Engine, processes = 1) {
  let now = 1_000_000;
  const stores = await engine(() => now, processes);
  opened.push(...stores);
  const [limits, other = limits] = stores;
  const use = new LimitUse(limits, () => now);
  const list = async (over = 0.5, scope?: Limit['scope']) =>
    (await use.list({ over, scope })).map(({ limit, standing, refusals }) => ({
      of: `${limit.scope} ${limit.subject} ${limit.quantity}`,
      remaining: standing.remaining,
      resetMs: standing.resetMs,
      rejected: refusals.calls,
    }));
  const pass = (ms: number): void => {
    now += ms;
  };
  return { limits, other, use, list, pass };
}

describe.each(engines)('limits in use, counted in $name', ({ engine, isMissing }) => {
  const test = base.skipIf(isMissing);

  test('lists the limit with the highest use first, with its remainder, and omits limits below the given share', async () => {
    const { limits, use, list, pass } = await open(engine);
    const met = [
      limitOf('requests', 10, { subject: 'half' }),
      limitOf('tokens', 1_000, { scope: 'account', subject: 'near' }),
      limitOf('concurrency', 3, { scope: 'group', subject: 'slots' }),
      limitOf('requests', 100, { scope: 'model', subject: 'far' }),
    ];
    use.record(met);
    expect(await list(0)).toEqual([]);
    for (let call = 0; call < 2; call++) await limits.acquire(takeOf(met, { tokens: 450 }));
    expect(await list()).toEqual([
      { of: 'account near tokens', remaining: 100, resetMs: 54_000, rejected: 0 },
      { of: 'group slots concurrency', remaining: 1, resetMs: null, rejected: 0 },
    ]);
    expect((await list(0)).map(({ of }) => of)).toEqual([
      'account near tokens',
      'group slots concurrency',
      'key half requests',
      'model far requests',
    ]);
    expect((await list(0, 'model')).map(({ remaining }) => remaining)).toEqual([98]);
    pass(30_000);
    expect((await list()).map(({ of }) => of)).toEqual(['group slots concurrency']);
  });

  test('takes nothing on reading, and includes the takes of another process', async () => {
    const { limits, other, use, list } = await open(engine, 2);
    const limit = limitOf('requests', 4, { mode: 'observe' });
    use.record([limit]);
    for (let call = 0; call < 3; call++) await other.acquire(takeOf([limit]));
    for (let look = 0; look < 5; look++) expect(await list()).toMatchObject([{ remaining: 1 }]);
    expect((await limits.acquire(takeOf([limit]))).kind).toBe('taken');
    expect(await list()).toMatchObject([{ remaining: 0 }]);
  });

  test('remembers a thousand limits of each kind, and lists a hundred', async () => {
    const { limits, use, list } = await open(engine);
    const many = Array.from({ length: 1_200 }, (_, index) => limitOf('requests', 2, { subject: `key_${index}` }));
    for (const limit of many.slice(0, 300)) await limits.acquire(takeOf([limit]));
    for (const limit of many.slice(1_100)) await limits.acquire(takeOf([limit]));
    use.record(many);
    const found = await list();
    expect(found).toHaveLength(100);
    // The first two hundred were used longest ago.
    expect(found.filter(({ of }) => Number(/\d+/.exec(of)?.[0]) < 200)).toEqual([]);
  });
});

describe('what limits rejected', () => {
  base('counts for an hour which accounts an observed limit of a group would have rejected', async () => {
    const { use, pass } = await open(openMemory);
    const limit = limitOf('requests', 5, { scope: 'group', subject: 'vip', mode: 'observe' });
    for (const account of ['a', 'b', 'b']) use.recordRejection(limit, account);
    const listed = async () => (await use.list({ over: 1 })).map(({ refusals }) => refusals);
    expect(await listed()).toEqual([
      {
        calls: 3,
        accounts: [
          { accountId: 'b', calls: 2 },
          { accountId: 'a', calls: 1 },
        ],
      },
    ]);
    pass(50 * 60_000);
    use.recordRejection(limit, 'a');
    expect(await listed()).toMatchObject([{ calls: 4 }]);
    pass(20 * 60_000);
    expect(await listed()).toEqual([{ calls: 1, accounts: [{ accountId: 'a', calls: 1 }] }]);
    pass(60 * 60_000);
    expect(await listed()).toEqual([]);
  });

  base('refusals count for five minutes together, from the first of them until an hour after the last', async () => {
    const { use, pass } = await open(openMemory);
    const limit = limitOf('requests', 5, { scope: 'model', subject: 'm' });
    const listed = async () => (await use.list({ over: 1 })).map(({ refusals: { calls, accounts } }) => [calls, accounts[0]?.calls]);
    // The clock is at 1,000,000 ms; five minutes begin at 1,200,000 ms.
    pass(200_000);
    use.recordRejection(limit, 'a');
    pass(299_999);
    use.recordRejection(limit, 'a');
    pass(1);
    use.recordRejection(limit, 'a');
    // From here on it is met, and nothing is rejected.
    pass(3_599_999);
    use.record([limit]);
    expect(await listed()).toEqual([[3, 3]]);
    pass(1);
    use.record([limit]);
    expect(await listed()).toEqual([[1, 1]]);
    pass(299_999);
    use.record([limit]);
    expect(await listed()).toEqual([[1, 1]]);
    pass(1);
    use.record([limit]);
    expect(await listed()).toEqual([]);
  });

  base('remembers a limit for an hour after it was reached', async () => {
    const { limits, use, list, pass } = await open(openMemory);
    const limit = limitOf('concurrency', 1);
    await limits.acquire(takeOf([limit]));
    use.record([limit]);
    pass(3_599_999);
    expect(await list()).toHaveLength(1);
    pass(1);
    expect(await list()).toEqual([]);
  });

  base('names those of fifty accounts with the most rejections, and none for a key or an account', async () => {
    const { use } = await open(openMemory);
    const limit = limitOf('requests', 5, { scope: 'model', subject: 'm' });
    for (let account = 0; account < 50; account++) use.recordRejection(limit, `a${account}`);
    for (let times = 0; times < 9; times++) use.recordRejection(limit, 'one too many');
    for (let times = 0; times < 3; times++) use.recordRejection(limit, 'a49');
    use.recordRejection(limitOf('requests', 5), 'a0');
    const [shared, own] = (await use.list({ over: 1 })).map(({ refusals }) => refusals);
    expect([shared?.calls, shared?.accounts.length, shared?.accounts[0]]).toEqual([62, 10, { accountId: 'a49', calls: 4 }]);
    expect(own).toEqual({ calls: 1, accounts: [] });
  });

  base('lists the limit that rejected most first among limits with equal use', async () => {
    const { limits, use, list } = await open(openMemory);
    const [quick, refusing] = ['quick', 'refusing'].map((subject) => limitOf('requests', 2, { subject, mode: 'observe' }));
    if (!quick || !refusing) throw new Error('there are two');
    await limits.acquire(takeOf([quick, refusing]));
    use.record([quick, refusing]);
    use.recordRejection(refusing, 'a');
    expect((await list()).map(({ of }) => of)).toEqual(['key refusing requests', 'key quick requests']);
  });

  base('forgets the limit that was reached longest ago beyond a thousand, and lists the latest settings', async () => {
    const { limits, use } = await open(openMemory);
    const many = Array.from({ length: 1_000 }, (_, index) => limitOf('requests', 2, { subject: `key_${index}` }));
    await limits.acquire(takeOf(many.slice(0, 2)));
    use.record(many);
    const listed = async () => (await use.list({ over: 0 })).map(({ limit }) => [limit.subject, limit.most]);
    expect(await listed()).toHaveLength(2);
    use.record([limitOf('requests', 4, { subject: 'key_0' })]);
    use.record([limitOf('requests', 2, { subject: 'one more' })]);
    expect(await listed()).toEqual([['key_0', 4]]);
  });

  base('lists what one account owes of a shared limit at the shared limit', async () => {
    const { limits, use } = await open(openMemory);
    const group = limitOf('tokens', 100, { scope: 'group', subject: 'vip' });
    const [whole = group, part = group] = addAccountLimits([group], 'acct_1');
    expect(getMaxOwed(part)).toBe(Number.POSITIVE_INFINITY);
    await limits.acquire(takeOf([part], { tokens: 60 }));
    use.record([whole, part]);
    use.recordRejection(part, 'acct_1');
    use.recordRejection(whole, 'acct_2');
    const found = await use.list({ over: 0 });
    expect(found.map(({ limit, refusals }) => [limit.subject, refusals.calls])).toEqual([['vip', 2]]);
  });
});
