/** Asks Redis how far limits are used, by their keys alone: no scan, and a bounded number of them in each script. */
import { windowOf } from '../gcra.ts';
import type { Limit, Standing } from '../limiter.ts';
import type { GatheredSteps } from './batcher.ts';
import { keyOf, type Step } from './script-steps.ts';

/** A script blocks Redis for every other client while it runs. */
const LIMITS_A_STEP = 100;

/** Rejects where Redis does not answer. One step after the other, so that calls come between them. */
export async function measureShared(steps: Pick<GatheredSteps, 'ask'>, limits: readonly Limit[], prefix: string): Promise<Standing[]> {
  const found: Standing[] = [];
  for (let from = 0; from < limits.length; from += LIMITS_A_STEP) {
    const some = limits.slice(from, from + LIMITS_A_STEP);
    const told = await steps.ask(lookStep(prefix, some), true);
    for (const [index, limit] of some.entries()) found.push(standingOf(limit, told[2 * index] ?? 0, told[2 * index + 1] ?? 0));
  }
  return found;
}

/** A correction that corrects nothing answers with the state of each limit. */
const lookStep =
  (prefix: string, limits: readonly Limit[]): Step =>
  (placeOf) =>
    `c0 ${limits.map((limit) => `\n${placeOf(keyOf(prefix, limit))} ${limit.quantity} ${limit.most} 0 0 0 -1`).join('')}`;

function standingOf({ quantity, most }: Limit, level: number, pending: number): Standing {
  if (quantity === 'concurrency') return { most, remaining: Math.max(most - level, 0), resetMs: null };
  const { remaining, resetMs } = windowOf({ level, pending, at: 0, most }, most);
  return { most, remaining, resetMs };
}
