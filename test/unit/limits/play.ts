/** Random steps on the limiter and on its naive model, which must agree after each. */
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Acquisition, Limit } from '../../../server/limits/limiter.ts';
import { limitOf, openClocked, takeOf } from './limit.ts';
import { NaiveLimiter } from './naive.ts';

const limits: readonly Limit[] = [
  limitOf('requests', 7),
  limitOf('tokens', 50),
  limitOf('concurrency', 3),
  limitOf('requests', 11, { scope: 'account', subject: 'acct_1' }),
  limitOf('tokens', 90, { scope: 'group', subject: 'vip' }),
  limitOf('requests', 5, { scope: 'model', subject: 'house/small' }),
  limitOf('requests', 2, { scope: 'model', subject: 'house/large', mode: 'observe' }),
];
const quantities = ['requests', 'tokens', 'concurrency'] as const;

type Step =
  | { readonly kind: 'pass'; readonly ms: number }
  | { readonly kind: 'call'; readonly some: readonly Limit[]; readonly tokens: number }
  | { readonly kind: 'door'; readonly some: readonly Limit[] }
  | { readonly kind: 'goIn' | 'leave' | 'end'; readonly which: number };

const some = fc.subarray([...limits], { minLength: 1 });
const which = fc.nat(20);
export const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('pass' as const), ms: fc.oneof(fc.nat(50), fc.nat(20_000)) }),
  fc.record({ kind: fc.constant('call' as const), some, tokens: fc.oneof(fc.nat(30), fc.nat(120)) }),
  fc.record({ kind: fc.constant('door' as const), some }),
  fc.record({ kind: fc.constantFrom('goIn' as const, 'leave' as const, 'end' as const), which }),
);

/** Runs the steps on both; returns how many. */
export function play(steps: readonly Step[]): number {
  const { limits: real, now, pass } = openClocked();
  const naive = new NaiveLimiter();
  const atDoor: Acquisition[] = [];
  const inside: Acquisition[] = [];
  const pick = (list: Acquisition[], index: number): Acquisition | undefined => list.splice(index % Math.max(list.length, 1), 1)[0];

  /** Asks both limiters; true when the call is admitted. */
  const decide = (take: Acquisition): boolean => {
    if (take.replaces) naive.drop(take.replaces);
    const asked = take.limits.filter(({ quantity, scope }) => take.quantities.includes(quantity) && (take.scopes?.includes(scope) ?? true));
    const waits = asked.map((limit) => ({ limit, ms: naive.waitFor(limit, take, now()) })).filter(({ ms }) => ms > 0);
    const refusing = waits.filter(({ limit }) => limit.mode === 'enforce');
    const taken = real.acquire(take);
    if (refusing.length === 0) {
      expect(taken).toMatchObject({ kind: 'taken', observed: waits.map(({ limit }) => limit) });
      if (take.isProvisional) naive.hold(take);
      else naive.count(take, now());
      return true;
    }
    const longest = Math.max(...refusing.map(({ ms }) => ms));
    expect(taken).toMatchObject({ kind: 'rejected', retryAfterMs: longest });
    if (taken.kind === 'rejected') expect(refusing.filter(({ ms }) => ms === longest).map(({ limit }) => limit)).toContain(taken.limit);
    if (take.replaces) naive.hold(take.replaces);
    return false;
  };

  for (const one of steps) {
    if (one.kind === 'pass') pass(one.ms);
    else if (one.kind === 'call') {
      const take = takeOf(one.some, { tokens: one.tokens, quantities });
      if (decide(take)) inside.push(take);
    } else if (one.kind === 'door') {
      const take = takeOf(one.some, { quantities: ['requests'], isProvisional: true });
      if (decide(take)) atDoor.push(take);
    } else if (one.kind === 'end') {
      const take = pick(inside, one.which);
      if (take) real.finish(take, take.tokens);
      if (take) naive.end(take);
    } else {
      const door = pick(atDoor, one.which);
      if (!door) continue;
      if (one.kind === 'goIn') {
        const take = takeOf(door.limits, { quantities, tokens: 1, replaces: door });
        if (decide(take)) inside.push(take);
        else atDoor.push(door);
      } else {
        real.release(door);
        naive.drop(door);
      }
    }
    for (const limit of limits) {
      if (limit.quantity === 'concurrency' || limit.mode !== 'enforce') continue;
      const window = real.peek([limit])[limit.quantity];
      const level = naive.level(limit, now());
      expect(window).toEqual({ limit: limit.most, remaining: naive.remaining(limit, now()), resetMs: Math.ceil(level / limit.most) });
    }
  }
  return steps.length;
}
