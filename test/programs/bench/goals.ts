/** What the gateway may cost, and whether it does: `--only goals` prints each goal beside its result. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { measureGateway } from '../../../client/packages/measure.ts';
import { getRecipe } from '../../../client/packages/recipes.ts';
import { packRecipe } from '../../../client/packages/tarball.ts';
import type { Loaded } from './child.ts';
import { makeKeys } from './engines-fleet.ts';
import { startStores } from './engines-stores.ts';
import { measureFirstEvents } from './first-event.ts';
import { type ForeignName, isInstalled, startForeign } from './foreign.ts';
import { measureLatency, measureLoad, measureOpenStreams, verify } from './measure.ts';
import { type RunningModelgate, startModelgate } from './modelgate.ts';
import { longChat, streamedChat, vendorModels } from './payloads.ts';
import { blaming, type Run, say, turn } from './rounds.ts';
import { type Asked, chatPath, chatText, openScenario, scenarios, smallScenario, streamScenario } from './scenarios.ts';
import { type Ground, type ServerName, startServer } from './servers.ts';
import { median, percentile } from './statistics.ts';

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

/** Calls of each caller begin when the one before has ended. */
const CONCURRENCY = 32;
/** Until the compilers of every server are done. */
const WARM_MS = 7_000;
const ROUND_MS = 500;

/** `governed` is a default installation: request log, sums, alerts and metrics are on. `shared`: the same over PostgreSQL and Redis. `many`: with 1,000 keys in use, `few`: with 10. */
type GoalServer =
  | Extract<ServerName, 'fastify' | 'floor' | 'floor-governed' | 'modelgate'>
  | 'governed'
  | 'shared'
  | 'few'
  | 'many'
  | ForeignName;

/** One server that is asked one thing. */
interface Side {
  readonly server: GoalServer;
  readonly asked: Asked;
}

/** Sides that take turns in every round. Only their servers are alive meanwhile: each more would take caches from the others. */
type Group = readonly Side[];

interface Ratio {
  /** Left out: what the group is asked first. What is translated is held against what is handed on. */
  readonly asked?: Asked;
  readonly toAsked?: Asked;
  readonly of: GoalServer;
  readonly to: GoalServer;
  readonly goal: number | null;
  readonly isLeast?: boolean;
}

function scenarioOf(name: string): Asked {
  const found = scenarios.find((one) => one.name === name);
  if (!found) throw new Error(`there is no scenario ${name}`);
  return found;
}

const small: Asked = { ...smallScenario, title: 'small chat' };
const tools: Asked = { ...scenarioOf('tools'), title: '20 KB chat with tools' };
const long: Asked = { kind: 'json', name: 'long', title: '20 KB chat', path: chatPath, body: longChat, readText: chatText };
const agentTurn: Asked = { ...scenarioOf('codex'), title: '60 KB responses' };
const handedOn: Asked = { ...streamScenario, title: 'chunk of a stream, handed on' };
const translated: Asked = {
  ...streamScenario,
  title: 'chunk of a stream, translated',
  body: { ...streamedChat, model: vendorModels.anthropic },
  isTranslated: true,
};

const each = (asked: Asked, ...servers: readonly GoalServer[]): Group => servers.map((server) => ({ server, asked }));

interface Plan {
  readonly group: Group;
  readonly ratios: readonly Ratio[];
}

const plan: readonly Plan[] = [
  {
    group: each(small, 'fastify', 'floor', 'floor-governed', 'modelgate', 'governed'),
    ratios: [
      { of: 'modelgate', to: 'floor', goal: 1.15 },
      { of: 'governed', to: 'floor-governed', goal: 1.15 },
      { of: 'governed', to: 'modelgate', goal: 1.25 },
      { of: 'governed', to: 'fastify', goal: null },
    ],
  },
  { group: each(tools, 'fastify', 'modelgate', 'governed'), ratios: [{ of: 'governed', to: 'fastify', goal: null }] },
  { group: each(long, 'fastify', 'modelgate', 'governed'), ratios: [{ of: 'governed', to: 'fastify', goal: 0.85 }] },
  { group: each(agentTurn, 'fastify', 'floor', 'modelgate', 'governed'), ratios: [{ of: 'governed', to: 'fastify', goal: 0.75 }] },
  {
    group: [...each(handedOn, 'fastify', 'nginx', 'modelgate', 'governed'), ...each(translated, 'governed')],
    ratios: [
      { of: 'governed', to: 'fastify', goal: 1 },
      { asked: translated, of: 'governed', to: 'fastify', toAsked: handedOn, goal: 1.4 },
    ],
  },
  { group: each(small, 'few', 'many'), ratios: [{ of: 'many', to: 'few', goal: 1.1 }] },
  { group: each(small, 'governed', 'shared'), ratios: [{ of: 'shared', to: 'governed', goal: null }] },
  {
    group: each(small, 'governed', 'nginx', 'portkey', 'litellm'),
    ratios: [
      { of: 'portkey', to: 'governed', goal: 5, isLeast: true },
      { of: 'litellm', to: 'governed', goal: null },
    ],
  },
];

const titles: Readonly<Record<GoalServer, string>> = {
  fastify: 'Fastify + undici',
  nginx: 'nginx',
  floor: 'floor',
  'floor-governed': 'governed floor',
  modelgate: 'plain',
  governed: 'governed',
  shared: 'governed, PostgreSQL + Redis',
  few: '10 keys',
  many: '1,000 keys',
  portkey: 'Portkey',
  litellm: 'LiteLLM',
};

const isForeign = (name: GoalServer): name is ForeignName => name === 'nginx' || name === 'portkey' || name === 'litellm';

interface Started {
  readonly servers: ReadonlyMap<GoalServer, Loaded>;
  close(): Promise<void>;
}

/** They share a core. A server that cannot be had is left out. */
async function startAll(names: ReadonlySet<GoalServer>, ground: Ground): Promise<Started> {
  const servers = new Map<GoalServer, Loaded>();
  const closing: (() => Promise<unknown>)[] = [];
  const keep = <T extends { stop(): Promise<unknown> }>(server: T): T => {
    closing.unshift(() => server.stop());
    return server;
  };
  const close = async (): Promise<void> => {
    for (const one of closing) await one();
  };
  const start = async (stores?: Awaited<ReturnType<typeof startStores>>): Promise<RunningModelgate> =>
    keep(await startModelgate({ ...setupOf(ground), hasAdmin: true, ...(stores && { stores: stores.variables }) }));
  try {
    for (const name of names) {
      if (name === 'few') continue;
      if (isForeign(name) && !isInstalled(name)) say(`notice: ${name} is not installed, its rows are left out`);
      else if (isForeign(name)) servers.set(name, keep(await startForeign(name, ground)));
      else if (name === 'governed') servers.set(name, await start());
      else if (name === 'many') {
        const gateway = await start();
        const keys = await makeKeys(gateway, MANY_KEYS, true);
        servers.set('few', { ...gateway, keys: keys.slice(0, FEW_KEYS) }).set('many', { ...gateway, keys });
      } else if (name === 'shared') {
        const stores = await startStores(ground.cores).catch(() => null);
        if (stores) {
          closing.unshift(() => stores.close());
          servers.set('shared', await start(stores));
        } else say('notice: without PostgreSQL and Redis their row is left out');
      } else servers.set(name, keep(await startServer(name, ground)));
    }
    return { servers, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const MANY_KEYS = 1_000;
const FEW_KEYS = 10;

const setupOf = ({ vendorOrigin, cores, profile }: Ground) => ({
  vendorUrl: `${vendorOrigin}/v1`,
  isGoverned: true,
  core: cores?.server,
  profile,
});

/** CPU of a call or of a chunk in each round. */
interface Found extends Side {
  readonly rounds: number[];
}

async function measureGroup(group: Group, { ground, vendor, options }: Run): Promise<readonly Found[]> {
  const { servers, close } = await startAll(new Set(group.map(({ server }) => server)), ground);
  const [warmMs, loadMs] = [options.quick ? options.loadMs : WARM_MS, Math.min(options.loadMs, ROUND_MS)];
  const sides = group.flatMap(({ server: name, asked }) => {
    const server = servers.get(name);
    return server ? [{ name, asked, server, rounds: [] as number[] }] : [];
  });
  try {
    for (const { name, asked, server } of sides)
      await blaming(titles[name], asked, async () => {
        say(`warm up ${titles[name]}: ${asked.title}`);
        // What others change on the way is theirs.
        if (!isForeign(name)) await verify(server, vendor.child, asked);
        await measureLoad(server, asked, { concurrency: CONCURRENCY, loadMs: warmMs });
      });
    for (let round = 0; round < options.rounds; round++) {
      if (round % 10 === 0) say(`round ${round + 1} of ${options.rounds}`);
      for (const { name, asked, server, rounds } of turn(sides, round))
        await blaming(titles[name], asked, async () => {
          rounds.push((await measureLoad(server, asked, { concurrency: CONCURRENCY, loadMs })).cpu);
        });
    }
    return sides.map(({ name, asked, rounds }) => ({ server: name, asked, rounds }));
  } finally {
    await close();
  }
}

function ratioRows({ group, ratios }: Plan, found: readonly Found[]): GoalResult[] {
  const first = group[0]?.asked;
  return ratios.flatMap(({ asked = first, of, to, toAsked = asked, goal, isLeast = false }) => {
    const roundsOf = (server: GoalServer, about: Asked | undefined) =>
      found.find((side) => side.server === server && side.asked === about)?.rounds;
    const [own, base] = [roundsOf(of, asked), roundsOf(to, toAsked)];
    if (!own || !base || !asked) return [];
    const row = `${asked.title}, ${titles[of]} to ${titles[to]}`;
    const p10 = percentile(own, 0.1) / percentile(base, 0.1);
    return [{ row, unit: '×' as const, goal, isLeast, found: median(own) / median(base), p10 }];
  });
}

/** What the ratios are made of. */
const cpuRows = (found: readonly Found[]): GoalResult[] =>
  found.map(({ asked, server, rounds }) => {
    const row = `${asked.title}, ${titles[server]}: CPU`;
    return { row, unit: 'µs', goal: null, found: median(rounds), p10: percentile(rounds, 0.1) };
  });

const STREAMS = 1_000;
const THREADS_MS = 8_000;

async function measureStreams({ ground }: Run): Promise<GoalResult[]> {
  say(`memory of ${STREAMS} governed streams`);
  // They all begin at once, which is no load that it should shed here.
  const server = await startModelgate({ ...setupOf(ground), takesAll: true });
  try {
    // The first call starts threads, whose memory is not that of streams.
    await measureLatency(server, small, 20);
    await pause(THREADS_MS);
    const { memory } = await measureOpenStreams(server, openScenario, STREAMS);
    return [{ row: `memory of a governed stream, ${STREAMS} open`, unit: 'KB', goal: 60, found: memory / STREAMS / 1e3 }];
  } finally {
    await server.stop();
  }
}

async function measureFirst(run: Run): Promise<GoalResult[]> {
  const found = await measureFirstEvents(run);
  return found.flatMap(({ server, p50, p99 }) => {
    const row = `first event of a stream, added by ${server} with 100 streams open`;
    const isOurs = server.startsWith('modelgate');
    return [
      { row: `${row}: p50`, unit: 'ms', goal: isOurs ? 1 : null, found: p50 } as const,
      { row: `${row}: p99`, unit: 'ms', goal: isOurs ? 3 : null, found: p99 } as const,
    ];
  });
}

/** As it is published. */
async function measureStarts(): Promise<GoalResult[]> {
  say('start and idle memory of the packed gateway');
  const folder = mkdtempSync(join(tmpdir(), 'modelgate-packed-'));
  try {
    await packRecipe(getRecipe('modelgate'), { to: folder, repository: undefined });
    const measured = await measureGateway(folder);
    return [
      { row: 'start to first answer', unit: 'ms', goal: 350, found: measured.get('start to first answer') ?? Number.NaN },
      { row: 'idle memory', unit: 'MiB', goal: 90, found: measured.get('memory, idle') ?? Number.NaN },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function measureGoals(run: Run): Promise<readonly GoalResult[]> {
  const [ratios, cpu]: [GoalResult[], GoalResult[]] = [[], []];
  for (const one of plan) {
    const found = await measureGroup(one.group, run);
    ratios.push(...ratioRows(one, found));
    cpu.push(...cpuRows(found));
  }
  return [...ratios, ...(await measureFirst(run)), ...(await measureStreams(run)), ...(await measureStarts()), ...cpu];
}

export function goalTable(results: readonly GoalResult[]): string[][] {
  const digits = (unit: GoalResult['unit']): number => (unit === '×' || unit === 'ms' ? 2 : unit === 'µs' ? 1 : 0);
  const lines = results.map(({ row, unit, goal, isLeast = false, found, p10 }) => {
    const show = (value: number): string => `${value.toFixed(digits(unit))} ${unit}`;
    const isMet = goal !== null && (isLeast ? found >= goal : found <= goal);
    return [
      row,
      '',
      goal === null ? '' : `${isLeast ? '≥' : '≤'} ${show(goal)}`,
      show(found),
      p10 === undefined ? '' : show(p10),
      goal === null ? '' : isMet ? 'met' : 'MISSED',
    ];
  });
  return [['row', '', 'goal', 'median', '10th percentile', ''], ...lines];
}
