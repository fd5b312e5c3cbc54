/** `npm run bench:against -- REVISION`: whether a call costs more CPU than it did at that commit. Both versions share a core and take turns. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Asked, forwardedStream, small } from './asked.ts';
import { checkOut, findCommit, root } from './checkout.ts';
import { findCores, pinSelf } from './child.ts';
import { measureLoad, warmUp } from './measure.ts';
import { type RunningModelgate, type Setup, startModelgate } from './modelgate.ts';
import { startVendor } from './servers.ts';
import { median, turn } from './statistics.ts';

const CONCURRENCY = 32;
const ROUND_MS = 400;
const ROUNDS = 24;
/** What a change may add. */
const MOST = 1.1;
/** Two processes of the same code can differ by more than that for as long as they live. So all these pairs have to say that a call became dearer. */
const PAIRS = 3;

interface Call {
  readonly title: string;
  readonly isGoverned: boolean;
  readonly asked: Asked;
}

const calls: readonly Call[] = [
  { title: 'small call, plain', isGoverned: false, asked: small },
  { title: 'small call, governed', isGoverned: true, asked: small },
  { title: 'chunk of a governed stream', isGoverned: true, asked: forwardedStream },
];

const lockOf = (folder: string): string => readFileSync(join(folder, 'package-lock.json'), 'utf8');

/** Null where there is nothing to compare with, which is said. */
function commitBefore(revision: string): string | null {
  const commit = findCommit(revision);
  if (commit !== null && commit !== findCommit('HEAD')) return commit;
  if (commit === null) console.log(`notice: there is no commit ${revision} here; nothing is compared`);
  else console.log(`notice: ${revision} is this commit; there is nothing to compare`);
  return null;
}

interface Pair {
  readonly before: RunningModelgate;
  readonly now: RunningModelgate;
}

const sides = ['before', 'now'] as const;

async function measurePair(pair: Pair, asked: Asked): Promise<Readonly<Record<keyof Pair, number[]>>> {
  const found: Record<keyof Pair, number[]> = { before: [], now: [] };
  const order = { concurrency: CONCURRENCY, loadMs: ROUND_MS };
  for (const name of sides) await warmUp(pair[name], asked, order);
  for (let round = 0; round < ROUNDS; round++)
    for (const name of turn(sides, round)) found[name].push((await measureLoad(pair[name], asked, order)).cpu);
  return found;
}

interface Comparison {
  readonly title: string;
  readonly scenario: Asked;
  readonly before: Setup;
  readonly now: Setup;
}

/** Whether a call became dearer between two processes: only where the medians and the pairs say so. */
async function isDearerInPair({ title, scenario, ...setups }: Comparison): Promise<boolean> {
  const before = await startModelgate(setups.before);
  try {
    const now = await startModelgate(setups.now);
    try {
      const found = await measurePair({ before, now }, scenario);
      const ratio = median(found.now) / median(found.before);
      const paired = median(found.now.map((cpu, round) => cpu / (found.before[round] ?? Number.NaN)));
      const isMore = Math.min(ratio, paired) > MOST;
      const numbers = `${median(found.before).toFixed(1)} → ${median(found.now).toFixed(1)} µs, ${ratio.toFixed(2)} × (pairs ${paired.toFixed(2)} ×)`;
      console.log(`${title.padEnd(30)} ${numbers}${isMore ? `: more than ${MOST} ×` : ''}`);
      return isMore;
    } finally {
      await now.stop();
    }
  } finally {
    await before.stop();
  }
}

/** Whether all pairs of processes say so. */
async function isDearer(comparison: Comparison): Promise<boolean> {
  for (let pair = 0; pair < PAIRS; pair++) if (!(await isDearerInPair(comparison))) return false;
  return true;
}

/** Whether nothing became dearer. */
async function compare(commit: string): Promise<boolean> {
  const { folder, program } = checkOut(commit, 'against');
  if (lockOf(folder) !== lockOf(root)) console.log('notice: the packages have changed since; both versions run with those of now');
  const cores = findCores();
  if (cores) pinSelf(cores.load);
  const vendor = await startVendor(cores);
  const setup = { vendorUrl: `${vendor.origin}/v1`, core: cores?.server, hasAdmin: true };
  let isFine = true;
  try {
    for (const { title, isGoverned, asked } of calls) {
      const setups = { before: { ...setup, isGoverned, program }, now: { ...setup, isGoverned } };
      if (await isDearer({ title, scenario: asked, ...setups })) isFine = false;
    }
  } finally {
    await vendor.stop();
  }
  return isFine;
}

const commit = commitBefore(process.argv[2] ?? (process.env.MODELGATE_BENCH_BASE || 'HEAD~1'));
if (commit !== null) {
  console.log(`CPU by call since ${commit.slice(0, 12)}, ${ROUNDS} rounds in turn:`);
  if (!(await compare(commit))) process.exitCode = 1;
}
