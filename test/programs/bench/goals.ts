/** What a call may cost, and whether it does: the goals of decision 0018 and the bounds of a governed call, each beside its result. */
import { type Asked, agentTurn, forwardedStream, long, slow, small, tools, translatedStream } from './asked.ts';
import type { Loaded } from './child.ts';
import { type GoalServer, startGoalServers, titles } from './goal-servers.ts';
import { type Load, measureLoad } from './measure.ts';
import { blaming, type Run, say } from './servers.ts';
import { median, percentile, turn } from './statistics.ts';

export interface GoalResult {
  readonly row: string;
  readonly unit: '×' | 'µs' | 'ms' | 'KB' | 'MiB';
  /** The most that it may be, or of `least` the least; null where nothing is asked of it. */
  readonly goal: number | null;
  readonly isLeast?: boolean;
  readonly found: number;
  /** The ratio of the rounds that were disturbed least. */
  readonly p10?: number;
}

/** Until the compilers of a server are done, over all that it is asked. */
const WARM_MS = 7_000;
const QUICK_MS = 400;

/** What a server is asked in each round, and how. */
interface Work {
  readonly asked: Asked;
  readonly title: string;
  readonly concurrency: number;
  readonly perSecond?: number;
  readonly loadMs: number;
}

interface Side {
  readonly server: GoalServer;
  readonly work: Work;
}

interface Ratio {
  /** Left out: what the first side is asked. What is translated is compared with what is forwarded. */
  readonly work?: Work;
  readonly toWork?: Work;
  readonly of: GoalServer;
  readonly to: GoalServer;
  readonly goal: number | null;
  readonly isLeast?: boolean;
  /** The least that the calls in a second may be. */
  readonly throughput?: number;
}

/** Sides that take turns in every round. Only their servers are alive meanwhile: each more would take caches from the others. */
interface Plan {
  readonly name: string;
  readonly group: 'goals' | 'governed';
  readonly sides: readonly Side[];
  readonly ratios: readonly Ratio[];
}

const crowd = (asked: Asked): Work => ({ asked, title: asked.title, concurrency: 32, loadMs: 500 });
const each = (work: Work, ...servers: readonly GoalServer[]): Side[] => servers.map((server) => ({ server, work }));
const [smallWork, forwarded, translated] = [crowd(small), crowd(forwardedStream), crowd(translatedStream)];

function goalPlan(name: string, sides: readonly Side[], ...ratios: readonly Ratio[]): Plan {
  return { name, group: 'goals', sides, ratios };
}

/** One at a time has no commit to share with anybody. */
const boundedWorks: readonly (readonly [Work, Pick<Ratio, 'goal' | 'throughput'>])[] = [
  ...[small, tools, agentTurn, forwardedStream].flatMap((asked) => [
    [
      { asked, title: `${asked.title}, one at a time`, concurrency: 1, loadMs: 1_000 },
      { goal: 2, throughput: 0.5 },
    ] as const,
    [
      { asked, title: `${asked.title}, 32 at a time`, concurrency: 32, loadMs: 1_000 },
      { goal: 1.4, throughput: 0.75 },
    ] as const,
  ]),
  // Callers who know nothing of each other. A rate needs time until it is one.
  ...[1_000, 2_000].map((perSecond) => {
    const title = `${slow.title}, ${perSecond} a second`;
    return [{ asked: slow, title, concurrency: perSecond, perSecond, loadMs: 2_000 }, { goal: 1.4 }] as const;
  }),
];

export const plans: readonly Plan[] = [
  goalPlan(
    'small',
    each(smallWork, 'fastify', 'floor', 'floor-governed', 'modelgate', 'governed'),
    { of: 'modelgate', to: 'floor', goal: 1.15 },
    { of: 'governed', to: 'floor-governed', goal: 1.15 },
    { of: 'governed', to: 'modelgate', goal: 1.25 },
    { of: 'governed', to: 'fastify', goal: null },
  ),
  goalPlan('tools', each(crowd(tools), 'fastify', 'modelgate', 'governed'), { of: 'governed', to: 'fastify', goal: null }),
  goalPlan('long', each(crowd(long), 'fastify', 'modelgate', 'governed'), { of: 'governed', to: 'fastify', goal: 0.85 }),
  goalPlan('agent', each(crowd(agentTurn), 'fastify', 'floor', 'modelgate', 'governed'), { of: 'governed', to: 'fastify', goal: 0.75 }),
  goalPlan(
    'stream',
    [...each(forwarded, 'fastify', 'nginx', 'modelgate', 'governed'), ...each(translated, 'governed')],
    { of: 'governed', to: 'fastify', goal: 1 },
    { work: translated, of: 'governed', to: 'fastify', toWork: forwarded, goal: 1.4 },
  ),
  goalPlan('keys', each(smallWork, 'few', 'many'), { of: 'many', to: 'few', goal: 1.1 }),
  goalPlan('shared', each(smallWork, 'governed', 'shared'), { of: 'shared', to: 'governed', goal: null }),
  goalPlan(
    'gateways',
    each(smallWork, 'governed', 'nginx', 'portkey', 'litellm'),
    { of: 'portkey', to: 'governed', goal: 5, isLeast: true },
    { of: 'litellm', to: 'governed', goal: null },
  ),
  {
    name: 'governed',
    group: 'governed',
    sides: boundedWorks.flatMap(([work]) => each(work, 'modelgate', 'governed')),
    ratios: boundedWorks.map(([work, bounds]) => ({ work, of: 'governed', to: 'modelgate', ...bounds })),
  },
];

interface Found extends Side {
  readonly rounds: Load[];
}

/** The ratios of a plan, and the CPU that they are made of. */
export async function measurePlan(plan: Plan, run: Run): Promise<{ readonly ratios: GoalResult[]; readonly cpu: GoalResult[] }> {
  const { servers, close } = await startGoalServers(new Set(plan.sides.map(({ server }) => server)), run.ground);
  const rounds = run.rounds ?? (plan.group === 'goals' ? 30 : 5);
  const sides = plan.sides.flatMap(({ server: name, work }) => {
    const server = servers.get(name);
    return server ? [{ name, work, server, rounds: [] as Load[] }] : [];
  });
  const load = (server: Loaded, { asked, ...order }: Work) =>
    measureLoad(server, asked, { ...order, loadMs: run.isQuick ? QUICK_MS : order.loadMs });
  try {
    for (const { name, work, server } of sides) {
      say(`warm up ${titles[name]}: ${work.title}`);
      const loadMs = Math.max(1_500, WARM_MS / sides.filter((side) => side.name === name).length);
      await blaming(titles[name], work.asked, () => load(server, { ...work, loadMs }));
    }
    for (let round = 0; round < rounds; round++) {
      if (round % 10 === 0) say(`${plan.name}: round ${round + 1} of ${rounds}`);
      for (const { name, work, server, rounds: own } of turn(sides, round))
        own.push(await blaming(titles[name], work.asked, () => load(server, work)));
    }
  } finally {
    await close();
  }
  const found = sides.map(({ name, work, rounds: own }) => ({ server: name, work, rounds: own }));
  return { ratios: ratioRows(plan, found), cpu: plan.group === 'goals' ? cpuRows(found) : [] };
}

function ratioRows({ sides, ratios }: Plan, found: readonly Found[]): GoalResult[] {
  const first = sides[0]?.work;
  return ratios.flatMap(({ work = first, of, to, toWork = work, goal, isLeast = false, throughput }) => {
    const roundsOf = (server: GoalServer, about: Work | undefined) =>
      found.find((side) => side.server === server && side.work === about)?.rounds;
    const [own, base] = [roundsOf(of, work), roundsOf(to, toWork)];
    if (!own || !base || !work) return [];
    const row = `${work.title}, ${titles[of]} to ${titles[to]}`;
    const ratio = (measure: keyof Load, middle: (values: readonly number[]) => number): number =>
      middle(own.map((load) => load[measure])) / middle(base.map((load) => load[measure]));
    const p10 = ratio('cpu', (values) => percentile(values, 0.1));
    const cpu: GoalResult = { row, unit: '×', goal, isLeast, found: ratio('cpu', median), p10 };
    if (throughput === undefined) return [cpu];
    return [cpu, { row: `${row}: throughput`, unit: '×', goal: throughput, isLeast: true, found: ratio('perSecond', median) }];
  });
}

function cpuRows(found: readonly Found[]): GoalResult[] {
  return found.map(({ work, server, rounds }) => {
    const cpu = rounds.map((load) => load.cpu);
    return { row: `${work.title}, ${titles[server]}: CPU`, unit: 'µs', goal: null, found: median(cpu), p10: percentile(cpu, 0.1) };
  });
}

const digits = { '×': 2, ms: 2, µs: 1, KB: 0, MiB: 0 } as const;

/** The first row is the header. */
export function goalTable(results: readonly GoalResult[]): string[][] {
  const lines = results.map(({ row, unit, goal, isLeast = false, found, p10 }) => {
    const show = (value: number): string => `${value.toFixed(digits[unit])} ${unit}`;
    const verdict = goal === null ? '' : (isLeast ? found >= goal : found <= goal) ? 'met' : 'MISSED';
    return [row, goal === null ? '' : `${isLeast ? '≥' : '≤'} ${show(goal)}`, show(found), p10 === undefined ? '' : show(p10), verdict];
  });
  return [['row', 'goal', 'median', '10th percentile', ''], ...lines];
}
