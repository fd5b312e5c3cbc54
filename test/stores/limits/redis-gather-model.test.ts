/** Steps in one script compared with the same steps one by one: in any combination, each gets the answer of the limiter in memory (promise G11). */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Acquisition, Limit } from '../../../server/limits/limiter.ts';
import { recordAttempts } from '../../harness/record-attempts.ts';
import { redisMissing } from '../../harness/servers.ts';
import { leftOut } from '../../harness/tools.ts';
import { limitOf, openClocked, plain, takeOf } from '../../unit/limits/limit.ts';
import { redisStage } from './redis-stage.ts';
import { type Steps, stepsStage } from './steps-stage.ts';

const redis = redisStage();
const openSteps = stepsStage(() => redis.server.url);

const some = [
  limitOf('requests', 7),
  limitOf('tokens', 50),
  limitOf('concurrency', 3),
  limitOf('requests', 11, { scope: 'account', subject: 'acct_1' }),
  limitOf('concurrency', 4, { scope: 'account', subject: 'acct_1' }),
  limitOf('requests', 2, { scope: 'model', subject: 'house/large', mode: 'observe' }),
] satisfies readonly Limit[];

type Move =
  | { readonly kind: 'call' | 'door'; readonly of: readonly Limit[]; readonly tokens: number }
  | { readonly kind: 'go in' | 'leave' | 'end'; readonly which: number; readonly tokens: number };
interface Turn {
  readonly afterMs: number;
  readonly moves: readonly Move[];
}

const tokens = fc.nat(60);
const move: fc.Arbitrary<Move> = fc.oneof(
  fc.record({ kind: fc.constantFrom('call' as const, 'door' as const), of: fc.subarray(some, { minLength: 1 }), tokens }),
  fc.record({ kind: fc.constantFrom('go in' as const, 'leave' as const, 'end' as const), which: fc.nat(20), tokens }),
);
const turn: fc.Arbitrary<Turn> = fc.record({
  afterMs: fc.oneof(fc.nat(50), fc.nat(30_000)),
  moves: fc.array(move, { minLength: 1, maxLength: 20, size: 'max' }),
});

/** Each move is made in memory at once, and gathered for Redis; what both say must be the same. */
function openBoth(steps: Steps) {
  const memory = openClocked();
  const takenAt = new WeakMap<Acquisition, number>();
  const [atDoor, inside]: [Acquisition[], Acquisition[]] = [[], []];
  const pick = (list: Acquisition[], which: number): Acquisition | undefined => list.splice(which % Math.max(list.length, 1), 1)[0];
  const enter = async (take: Acquisition, list: Acquisition[]): Promise<void> => {
    const said = plain(memory.limits.acquire(take));
    if ('kind' in said && said.kind === 'taken') {
      takenAt.set(take, steps.now());
      list.push(take);
    } else if (take.replaces) atDoor.push(take.replaces);
    expect(plain((await steps.take(take)).taken)).toEqual(said);
  };
  const end = async (take: Acquisition, usedTokens: number): Promise<void> => {
    const said = plain(memory.limits.finish(take, usedTokens));
    expect(await steps.end(take, { kind: 'finished', usedTokens, at: takenAt.get(take) ?? 0 })).toEqual(said);
  };
  const leave = async (take: Acquisition): Promise<void> => {
    const said = plain(memory.limits.release(take));
    expect(await steps.end(take, { kind: 'given back' })).toEqual(said);
  };
  const make = (one: Move): Promise<void> | undefined => {
    if ('of' in one) {
      if (one.kind === 'call') return enter(takeOf(one.of, { tokens: one.tokens }), inside);
      return enter(takeOf(one.of, { quantities: ['requests'], isProvisional: true }), atDoor);
    }
    const take = pick(one.kind === 'end' ? inside : atDoor, one.which);
    if (!take) return undefined;
    if (one.kind === 'end') return end(take, one.tokens);
    return one.kind === 'leave' ? leave(take) : enter(takeOf(take.limits, { tokens: one.tokens, replaces: take }), inside);
  };
  return {
    pass(ms: number) {
      memory.pass(ms);
      steps.pass(ms);
    },
    /** The number of compared answers. */
    async turn(moves: readonly Move[]): Promise<number> {
      const made = moves.map(make).filter((one) => one !== undefined);
      const said = plain(memory.limits.peek(some));
      await Promise.all([...made, steps.look(some).then((told) => expect(told).toEqual(said))]);
      return made.length + 1;
    },
  };
}

describe.skipIf(redisMissing)(`steps in one script${leftOut(redisMissing)}`, () => {
  test('G11: returns for each step of a script what single steps would return', async () => {
    const enough = 5_800;
    let compared = 0;
    const lists = fc.asyncProperty(fc.array(turn, { minLength: 3, maxLength: 10, size: 'max' }), async (turns) => {
      let scripts = 0;
      const steps = await openSteps();
      const both = openBoth(
        steps.on((run) => {
          scripts++;
          return run();
        }),
      );
      for (const { afterMs, moves } of turns) {
        both.pass(afterMs);
        compared += await both.turn(moves);
      }
      expect(scripts).toBe(turns.length);
    });
    while (compared < enough) await fc.assert(lists, { numRuns: 10 });
    recordAttempts('G11', { what: 'steps in shared scripts beside steps one by one', times: enough });
  });

  const limits = [limitOf('requests', 3), limitOf('tokens', 100), limitOf('concurrency', 1)];
  /** At the door, in, and over; then who comes next. */
  const moves: readonly Move[] = [
    { kind: 'door', of: limits, tokens: 0 },
    { kind: 'go in', which: 0, tokens: 90 },
    { kind: 'end', which: 0, tokens: 30 },
    { kind: 'call', of: limits, tokens: 70 },
    { kind: 'call', of: limits.slice(0, 1), tokens: 0 },
    { kind: 'call', of: limits.slice(0, 1), tokens: 0 },
  ];
  test.each([
    ['in one script', [moves]],
    ['in a script each', moves.map((one) => [one])],
  ])('leaves the same as memory after a call is admitted, changes its slot and ends %s', async (_, turns) => {
    const both = openBoth(await openSteps());
    let compared = 0;
    for (const one of turns) compared += await both.turn(one);
    expect(compared).toBe(moves.length + turns.length);
  });

  test('F38: frees a slot once that is released after its lease has ended', async () => {
    const steps = await openSteps(30_000);
    const limit = limitOf('concurrency', 2);
    const [dead, living] = [takeOf([limit]), takeOf([limit])];
    const kindOf = async (take: Acquisition) => (await steps.take(take)).taken.kind;
    const end = (take: Acquisition) => steps.end(take, { kind: 'finished', usedTokens: 0, at: 5_000 });
    expect(await kindOf(dead)).toBe('taken');
    steps.pass(20_000);
    expect(await kindOf(living)).toBe('taken');
    expect(await kindOf(takeOf([limit]))).toBe('rejected');
    steps.pass(15_000);
    // The slot of the dead process is free already; only the end of the live process's call frees another one.
    const kinds = [end(dead), kindOf(takeOf([limit])), end(dead), kindOf(takeOf([limit])), end(living), end(living)];
    const next = [kindOf(takeOf([limit])), end(dead), kindOf(takeOf([limit]))];
    const told = await Promise.all([...kinds, ...next]);
    expect(told.filter((one) => typeof one === 'string')).toEqual(['taken', 'rejected', 'taken', 'rejected']);
    // Redis stored the same.
    expect(await kindOf(takeOf([limit]))).toBe('rejected');
  });
});
