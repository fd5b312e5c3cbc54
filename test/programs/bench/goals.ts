/** What the gateway may cost, and whether it does: `--only goals` prints each goal beside its result. */
import { fullSpeedEvents } from './answers.ts';
import { makeKeys } from './engines-fleet.ts';
import { startStores } from './engines-stores.ts';
import { measureFirstEvents } from './first-event.ts';
import { type ForeignName, isInstalled, startForeign } from './foreign.ts';
import { WrongAnswer } from './load.ts';
import { measureLoad, measureOpenStreams, verify } from './measure.ts';
import { type RunningModelgate, startModelgate } from './modelgate.ts';
import { longChat, streamedChat, vendorModels } from './payloads.ts';
import { type Run, say } from './rounds.ts';
import { type Asked, chatPath, chatText, type StreamAsked, scenarios, smallScenario } from './scenarios.ts';
import { type Ground, type Loaded, type ServerName, startServer } from './servers.ts';
import { measureStart } from './start.ts';
import { median, percentile } from './statistics.ts';

export interface GoalResult {
  readonly row: string;
  readonly unit: '×' | 'µs' | 'ms' | 'KB' | 'MB';
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

interface Held {
  readonly asked: Asked;
  readonly servers: readonly GoalServer[];
}

interface Ratio {
  readonly asked: string;
  readonly of: GoalServer;
  /** Also of another scenario: what is translated is held against what is handed on. */
  readonly to: GoalServer;
  readonly toAsked?: string;
  readonly goal: number | null;
  readonly isLeast?: boolean;
}

function scenarioOf(name: string): Asked {
  const found = scenarios.find((one) => one.name === name);
  if (!found) throw new Error(`there is no scenario ${name}`);
  return found;
}

const streamed = (name: string, body: Asked['body'], isTranslated: boolean): Asked => {
  const title = isTranslated ? 'chunk of a stream, translated' : 'chunk of a stream, handed on';
  return { kind: 'stream', name, title, path: chatPath, body, isTranslated, caller: 'chat', events: fullSpeedEvents };
};
const small: Asked = { ...smallScenario, title: 'small chat' };
const tools: Asked = { ...scenarioOf('tools'), title: '20 KB chat with tools' };
const long: Asked = { kind: 'json', name: 'long', title: '20 KB chat', path: chatPath, body: longChat, readText: chatText };
const turn: Asked = { ...scenarioOf('codex'), title: '60 KB responses' };
const handedOn = streamed('handed-on', streamedChat, false);
const translated = streamed('translated', { ...streamedChat, model: vendorModels.anthropic }, true);

const plan: readonly Held[] = [
  {
    asked: small,
    servers: ['fastify', 'nginx', 'floor', 'floor-governed', 'modelgate', 'governed', 'shared', 'few', 'many', 'portkey', 'litellm'],
  },
  { asked: tools, servers: ['fastify', 'modelgate', 'governed', 'portkey'] },
  { asked: long, servers: ['fastify', 'modelgate', 'governed', 'portkey'] },
  { asked: turn, servers: ['fastify', 'floor', 'modelgate', 'governed'] },
  { asked: handedOn, servers: ['fastify', 'nginx', 'modelgate', 'governed'] },
  { asked: translated, servers: ['governed'] },
];

const ratios: readonly Ratio[] = [
  { asked: 'small', of: 'modelgate', to: 'floor', goal: 1.15 },
  { asked: 'small', of: 'governed', to: 'floor-governed', goal: 1.15 },
  { asked: 'small', of: 'governed', to: 'modelgate', goal: 1.25 },
  { asked: 'small', of: 'governed', to: 'fastify', goal: null },
  { asked: 'small', of: 'shared', to: 'governed', goal: null },
  { asked: 'tools', of: 'governed', to: 'fastify', goal: null },
  { asked: 'long', of: 'governed', to: 'fastify', goal: 0.85 },
  { asked: 'codex', of: 'governed', to: 'fastify', goal: 0.75 },
  { asked: 'handed-on', of: 'governed', to: 'fastify', goal: 1 },
  { asked: 'translated', of: 'governed', to: 'fastify', toAsked: 'handed-on', goal: 1.4 },
  { asked: 'small', of: 'many', to: 'few', goal: 1.1 },
  { asked: 'small', of: 'portkey', to: 'governed', goal: 5, isLeast: true },
  { asked: 'small', of: 'litellm', to: 'governed', goal: null },
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

/** All of them stay up and share a core; each is called in its turn. */
async function startAll(ground: Ground): Promise<Started> {
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
    for (const name of ['fastify', 'floor', 'floor-governed', 'modelgate'] as const)
      servers.set(name, keep(await startServer(name, ground)));
    servers.set('governed', await start());
    const crowded = await start();
    const keys = await makeKeys(crowded, 1_000, true);
    servers.set('few', { ...crowded, keys: keys.slice(0, 10) }).set('many', { ...crowded, keys });
    const stores = await startStores(ground.cores).catch(() => null);
    if (stores) {
      closing.unshift(() => stores.close());
      servers.set('shared', await start(stores));
    } else say('notice: without PostgreSQL and Redis their row is left out');
    for (const name of ['nginx', 'portkey', 'litellm'] as const) {
      if (isInstalled(name)) servers.set(name, keep(await startForeign(name, ground)));
      else say(`notice: ${name} is not installed, its rows are left out`);
    }
    return { servers, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const setupOf = ({ vendorOrigin, cores, profile }: Ground) => ({
  vendorUrl: `${vendorOrigin}/v1`,
  isGoverned: true,
  core: cores?.server,
  profile,
});

/** CPU of a call or of a chunk in each round, by the scenario and then by the server. */
type Found = ReadonlyMap<string, ReadonlyMap<GoalServer, number[]>>;

async function measureRounds({ ground, vendor, options }: Run): Promise<Found> {
  const { servers, close } = await startAll(ground);
  const found = new Map(plan.map(({ asked }) => [asked.name, new Map<GoalServer, number[]>()]));
  const [warmMs, loadMs] = [options.quick ? options.loadMs : WARM_MS, Math.min(options.loadMs, ROUND_MS)];
  const each = async (work: (asked: Asked, name: GoalServer, server: Loaded) => Promise<void>, round = 0): Promise<void> => {
    for (const { asked, servers: names } of plan) {
      const present = names.filter((name) => servers.has(name));
      const first = round % present.length;
      for (const name of [...present.slice(first), ...present.slice(0, first)]) {
        const server = servers.get(name);
        if (server) await blaming(`${titles[name]}, ${asked.title}`, () => work(asked, name, server));
      }
    }
  };
  try {
    await each(async (asked, name, server) => {
      say(`warm up ${titles[name]}: ${asked.title}`);
      // What others change on the way is theirs.
      if (!isForeign(name)) await verify(server, vendor.child, asked);
      await measureLoad(server, asked, { concurrency: CONCURRENCY, loadMs: warmMs });
    });
    for (let round = 0; round < options.rounds; round++) {
      say(`round ${round + 1} of ${options.rounds}`);
      await each(async (asked, name, server) => {
        const { cpu } = await measureLoad(server, asked, { concurrency: CONCURRENCY, loadMs });
        const of = found.get(asked.name);
        of?.set(name, [...(of.get(name) ?? []), cpu]);
      }, round);
    }
    return found;
  } finally {
    await close();
  }
}

async function blaming(who: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw error instanceof WrongAnswer ? new WrongAnswer(`${who}: ${error.message}`) : error;
  }
}

function ratioRows(found: Found): GoalResult[] {
  return ratios.flatMap(({ asked, of, to, toAsked = asked, goal, isLeast = false }) => {
    const [own, base] = [found.get(asked)?.get(of), found.get(toAsked)?.get(to)];
    if (!own || !base) return [];
    const row = `${titleOf(asked)}, ${titles[of]} to ${titles[to]}`;
    const p10 = percentile(own, 0.1) / percentile(base, 0.1);
    return [{ row, unit: '×' as const, goal, isLeast, found: median(own) / median(base), p10 }];
  });
}

const titleOf = (name: string): string => plan.find(({ asked }) => asked.name === name)?.asked.title ?? name;

/** What the ratios are made of. */
function cpuRows(found: Found): GoalResult[] {
  return [...found].flatMap(([asked, servers]) =>
    [...servers].map(([server, rounds]) => {
      const row = `${titleOf(asked)}, ${titles[server]}: CPU`;
      return { row, unit: 'µs' as const, goal: null, found: median(rounds), p10: percentile(rounds, 0.1) };
    }),
  );
}

const STREAMS = 1_000;

async function measureStreams({ ground }: Run): Promise<GoalResult[]> {
  const asked = scenarios.find((one): one is StreamAsked & (typeof scenarios)[number] => one.kind === 'open');
  if (!asked) throw new Error('there is no scenario of open streams');
  say(`memory of ${STREAMS} governed streams`);
  // They all begin at once, which is no load that it should shed here.
  const server = await startModelgate({ ...setupOf(ground), takesAll: true });
  try {
    const { memory } = await measureOpenStreams(server, asked, STREAMS);
    return [{ row: `memory of a governed stream, ${STREAMS} open`, unit: 'KB', goal: 60, found: memory / STREAMS / 1e3 }];
  } finally {
    await server.stop();
  }
}

async function measureFirst(run: Run): Promise<GoalResult[]> {
  const found = await measureFirstEvents(run);
  return found.flatMap(({ server, p50, p99 }) => {
    const row = `first event of a stream, added by ${server} with 100 streams open`;
    const isOurs = server !== 'nginx';
    return [
      { row: `${row}: p50`, unit: 'ms', goal: isOurs ? 1 : null, found: p50 } as const,
      { row: `${row}: p99`, unit: 'ms', goal: isOurs ? 3 : null, found: p99 } as const,
    ];
  });
}

async function measureStarts(): Promise<GoalResult[]> {
  say('start and idle memory');
  const { answeredMs, idleBytes } = await measureStart();
  return [
    { row: 'start to first answer', unit: 'ms', goal: 350, found: median(answeredMs) },
    { row: 'idle memory', unit: 'MB', goal: 90 * 1.048_576, found: idleBytes / 1e6 },
  ];
}

export async function measureGoals(run: Run): Promise<readonly GoalResult[]> {
  const found = await measureRounds(run);
  const rest = [...(await measureFirst(run)), ...(await measureStreams(run)), ...(await measureStarts())];
  return [...ratioRows(found), ...rest, ...cpuRows(found)];
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
