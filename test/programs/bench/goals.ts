/** What a call may cost, and whether it does: the goals of decision 0018 and the bounds of a governed call, each beside its result. */
import { type Asked, agentTurn, forwardedStream, long, slow, small, tools, translatedStream } from './asked.ts';
import type { Loaded } from './child.ts';
import { type GoalServer, startGoalServers, titles } from './goal-servers.ts';
import { type Load, measureLoad, warmUp } from './measure.ts';
import { blaming, type Run, say } from './servers.ts';
import { median, turn } from './statistics.ts';

export interface GoalResult {
  readonly row: string;
  readonly unit: '×' | 'µs' | 'ms' | 'KB' | 'MiB';
  /** The most that it may be, or of `least` the least; null where nothing is asked of it. */
  readonly goal: number | null;
  readonly isLeast?: boolean;
  readonly found: number;
  /** Of a ratio, the same with only its two servers alive. */
  readonly pair?: number;
}

/** All goals fit into 45 minutes. */
const ROUNDS = 12;
const QUICK_MS = 400;
/** A second or two. */
const QUICK_WARM_PARTS = 12;

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
  readonly work: Work;
  /** What is translated is compared with what is forwarded. */
  readonly toWork?: Work;
  readonly of: GoalServer;
  readonly to: GoalServer;
  readonly goal: number | null;
  readonly isLeast?: boolean;
  /** The least that the calls in a second may be. */
  readonly throughput?: number;
}

/**
 * Sides that take turns in every round. Servers take caches from each other, so each ratio is measured with all servers of its plan alive, and
 * again with only its own two.
 */
interface Plan {
  readonly name: string;
  readonly group: 'goals' | 'governed';
  readonly sides: readonly Side[];
  readonly ratios: readonly Ratio[];
}

const crowd = (asked: Asked): Work => ({ asked, title: asked.title, concurrency: 32, loadMs: 500 });
const each = (work: Work, ...servers: readonly GoalServer[]): Side[] => servers.map((server) => ({ server, work }));
const [smallWork, forwarded, translated] = [crowd(small), crowd(forwardedStream), crowd(translatedStream)];

type GoalRatio = Omit<Ratio, 'work'>;

const toEarlier = (goal: number | null): readonly GoalRatio[] => [
  { of: 'governed', to: 'before', goal },
  { of: 'governed', to: 'release', goal: null },
];

function goalPlan(name: string, work: Work, servers: readonly GoalServer[], ...ratios: readonly GoalRatio[]): Plan {
  return { name, group: 'goals', sides: each(work, ...servers), ratios: ratios.map((ratio) => ({ work, ...ratio })) };
}

const forwardedPlan = goalPlan(
  'stream',
  forwarded,
  ['fastify', 'nginx', 'modelgate', 'governed', 'before', 'release'],
  { of: 'governed', to: 'fastify', goal: 1 },
  ...toEarlier(null),
);

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
    smallWork,
    ['fastify', 'floor', 'modelgate', 'governed', 'before', 'release'],
    { of: 'governed', to: 'floor', goal: 1.25 },
    { of: 'governed', to: 'modelgate', goal: 1.25 },
    { of: 'governed', to: 'fastify', goal: null },
    ...toEarlier(null),
  ),
  goalPlan('tools', crowd(tools), ['fastify', 'modelgate', 'governed'], { of: 'governed', to: 'fastify', goal: null }),
  goalPlan(
    'long',
    crowd(long),
    ['fastify', 'modelgate', 'governed', 'before', 'release'],
    { of: 'governed', to: 'fastify', goal: 0.85 },
    { of: 'governed', to: 'modelgate', goal: 1.1 },
    ...toEarlier(0.9),
  ),
  goalPlan(
    'agent',
    crowd(agentTurn),
    ['fastify', 'modelgate', 'governed', 'before', 'release'],
    { of: 'governed', to: 'fastify', goal: 0.75 },
    { of: 'governed', to: 'modelgate', goal: 1.1 },
    ...toEarlier(0.9),
  ),
  {
    ...forwardedPlan,
    sides: [...forwardedPlan.sides, ...each(translated, 'governed')],
    ratios: [...forwardedPlan.ratios, { work: translated, of: 'governed', to: 'fastify', toWork: forwarded, goal: 1.4 }],
  },
  goalPlan('keys', smallWork, ['few', 'many'], { of: 'many', to: 'few', goal: 1.1 }),
  goalPlan('shared', smallWork, ['governed', 'shared'], { of: 'shared', to: 'governed', goal: null }),
  goalPlan(
    'gateways',
    smallWork,
    ['governed', 'nginx', 'portkey', 'litellm'],
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
  readonly rounds: readonly Load[];
}

/** The ratios of a plan, and the CPU that they are made of. */
export async function measurePlan(plan: Plan, run: Run): Promise<{ readonly ratios: GoalResult[]; readonly cpu: GoalResult[] }> {
  const found = await measureSides(plan, plan.sides, run);
  const hasMore = new Set(found.map(({ server }) => server)).size > 2;
  const ratios: GoalResult[] = [];
  for (const ratio of plan.ratios) {
    const sides = getSides(ratio);
    const rows = ratioRows(ratio, sides, found);
    const pair = hasMore && rows.length > 0 ? ratioRows(ratio, sides, await measureSides(plan, sides, run)) : rows;
    ratios.push(...rows.map((row, index) => ({ ...row, pair: pair[index]?.found ?? Number.NaN })));
  }
  return { ratios, cpu: plan.group === 'goals' ? cpuRows(found) : [] };
}

const getSides = ({ work, of, to, toWork = work }: Ratio): readonly [Side, Side] => [
  { server: of, work },
  { server: to, work: toWork },
];

/** Skips servers that aren't available. */
async function measureSides({ name: plan, group }: Plan, all: readonly Side[], run: Run): Promise<readonly Found[]> {
  const { servers, close } = await startGoalServers(new Set(all.map(({ server }) => server)), run.ground);
  const rounds = run.rounds ?? (group === 'goals' ? ROUNDS : 5);
  const sides = all.flatMap(({ server: name, work }) => {
    const server = servers.get(name);
    return server ? [{ name, work, server, rounds: [] as Load[] }] : [];
  });
  const load = (server: Loaded, { asked, ...order }: Work) =>
    measureLoad(server, asked, { ...order, loadMs: run.isQuick ? QUICK_MS : order.loadMs });
  try {
    say(`${plan}: ${sides.map(({ name }) => titles[name]).join(', ')}`);
    for (const { name, work, server } of sides) {
      const parts = run.isQuick ? QUICK_WARM_PARTS : sides.filter((side) => side.name === name).length;
      await blaming(titles[name], work.asked, () => warmUp(server, work.asked, work, parts));
    }
    for (let round = 0; round < rounds; round++)
      for (const { name, work, server, rounds: own } of turn(sides, round))
        own.push(await blaming(titles[name], work.asked, () => load(server, work)));
  } finally {
    await close();
  }
  return sides.map(({ name, work, rounds: own }) => ({ server: name, work, rounds: own }));
}

function ratioRows({ goal, isLeast = false, throughput }: Ratio, [of, to]: readonly [Side, Side], found: readonly Found[]): GoalResult[] {
  const findRounds = ({ server, work }: Side) => found.find((side) => side.server === server && side.work === work)?.rounds;
  const [own, base] = [findRounds(of), findRounds(to)];
  if (!own || !base) return [];
  const row = `${of.work.title}, ${titles[of.server]} to ${titles[to.server]}`;
  const ratio = (measure: keyof Load): number => median(own.map((load) => load[measure])) / median(base.map((load) => load[measure]));
  const cpu: GoalResult = { row, unit: '×', goal, isLeast, found: ratio('cpu') };
  if (throughput === undefined) return [cpu];
  return [cpu, { row: `${row}: throughput`, unit: '×', goal: throughput, isLeast: true, found: ratio('perSecond') }];
}

function cpuRows(found: readonly Found[]): GoalResult[] {
  return found.map(({ work, server, rounds }) => {
    return { row: `${work.title}, ${titles[server]}: CPU`, unit: 'µs', goal: null, found: median(rounds.map(({ cpu }) => cpu)) };
  });
}

const digits = { '×': 2, ms: 2, µs: 1, KB: 0, MiB: 0 } as const;

/** The first row is the header. A goal is met where both results meet it. */
export function goalTable(results: readonly GoalResult[]): string[][] {
  const lines = results.map(({ row, unit, goal, isLeast = false, found, pair }) => {
    const show = (value: number): string => `${value.toFixed(digits[unit])} ${unit}`;
    const isMet = (value: number): boolean => goal === null || (isLeast ? value >= goal : value <= goal);
    const verdict = goal === null ? '' : isMet(found) && isMet(pair ?? found) ? 'met' : 'MISSED';
    return [row, goal === null ? '' : `${isLeast ? '≥' : '≤'} ${show(goal)}`, show(found), pair === undefined ? '' : show(pair), verdict];
  });
  return [['row', 'goal', 'all alive', 'two alive', ''], ...lines];
}
