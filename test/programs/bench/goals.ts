/** What the gateway may cost, and whether it does: `--only goals` prints each goal beside its result. */
import { fullSpeedEvents } from './answers.ts';
import type { Comparison, Side } from './comparisons.ts';
import { measureFirstEvents } from './first-event.ts';
import { measureOpenStreams } from './measure.ts';
import { startModelgate } from './modelgate.ts';
import { streamedChat, vendorModels } from './payloads.ts';
import { type Rounds, readRows } from './report.ts';
import { type Planned, type Run, runComparisons, say } from './rounds.ts';
import { type Asked, chatPath, type StreamAsked, scenarios, slowScenario, smallScenario } from './scenarios.ts';
import { measureStart } from './start.ts';
import { median } from './statistics.ts';

export interface GoalResult {
  readonly row: string;
  readonly unit: '×' | 'ms' | 'KB' | 'MB';
  /** The most that it may be. */
  readonly goal: number;
  readonly found: number;
}

const side = (server: Side['server'], asked: Asked, name: string = server): Side => ({ name, server, asked });

type Goal = Pick<Comparison, 'name' | 'title' | 'base' | 'concurrency' | 'cpuTarget'> & { readonly held: Side };

const streamed = (name: string, body: Asked['body'], isTranslated: boolean): Asked => ({
  kind: 'stream',
  name,
  title: 'a chunk of a stream',
  path: chatPath,
  body,
  isTranslated,
  caller: 'chat',
  events: fullSpeedEvents,
});
const handedOn = streamed('chat → chat', streamedChat, false);
const translated = streamed('chat → anthropic', { ...streamedChat, model: vendorModels.anthropic }, true);

const toFastify = (concurrency: number): readonly Goal[] => [
  {
    name: `small-plain-${concurrency}`,
    title: 'small chat to bare Fastify',
    concurrency,
    cpuTarget: 1.3,
    base: side('fastify', smallScenario),
    held: side('modelgate', smallScenario),
  },
  {
    name: `small-governed-${concurrency}`,
    title: 'governed small chat to bare Fastify',
    concurrency,
    cpuTarget: 1.5,
    base: side('fastify', smallScenario),
    held: side('governed', smallScenario),
  },
];

/** CPU of a call or of a chunk, as a multiple of that of the base. */
const ratios: readonly Goal[] = [
  ...[1, 32, 200].flatMap(toFastify),
  {
    name: 'alone-slow',
    title: 'governed to plain, over a vendor of 50 to 250 ms',
    concurrency: 1,
    cpuTarget: 1.2,
    base: side('modelgate', slowScenario),
    held: side('governed', slowScenario),
  },
  {
    name: 'alone-fast',
    title: 'governed to plain, over a vendor that answers at once',
    concurrency: 1,
    cpuTarget: 1.4,
    base: side('modelgate', smallScenario),
    held: side('governed', smallScenario),
  },
  {
    name: 'chunk',
    title: 'chunk of a stream to bare Fastify, handed on',
    concurrency: 16,
    cpuTarget: 1,
    base: side('fastify', handedOn),
    held: side('modelgate', handedOn),
  },
  {
    name: 'chunk-translated',
    title: 'chunk of a stream to bare Fastify, translated',
    concurrency: 16,
    cpuTarget: 1.5,
    base: side('fastify', handedOn),
    held: side('modelgate', translated),
  },
];

function planned({ held, ...goal }: Goal): Planned<Comparison> {
  const what: Comparison = { ...goal, group: 'goals', others: [held] };
  const rounds: Rounds = {
    name: goal.name,
    title: goal.title,
    base: goal.base.name,
    judged: [held.name],
    targets: { cpu: goal.cpuTarget },
    direct: [],
    servers: new Map([goal.base, held].map(({ name }) => [name, []])),
  };
  return { what, rounds };
}

async function measureRatios(run: Run): Promise<GoalResult[]> {
  const plan = ratios.map(planned);
  await runComparisons(plan, run);
  return plan.map(({ what, rounds }) => {
    const row = readRows(rounds).find(({ server }) => server === what.others[0]?.name);
    return { row: `${what.title}, ${what.concurrency} at a time`, unit: '×', goal: what.cpuTarget, found: row?.ratios.cpu ?? Number.NaN };
  });
}

/** Streams that stay open. */
const counts = [1_000, 4_000];
const maxOfStream = 60_000;

async function measureStreams({ ground }: Run): Promise<GoalResult[]> {
  const asked = scenarios.find((one): one is StreamAsked & (typeof scenarios)[number] => one.kind === 'open');
  if (!asked) throw new Error('there is no scenario of open streams');
  const results: GoalResult[] = [];
  for (const count of counts) {
    say(`memory of ${count} governed streams`);
    const { cores, vendorOrigin, profile } = ground;
    // They all begin at once, which is no load that it should shed here.
    const setup = { vendorUrl: `${vendorOrigin}/v1`, isGoverned: true, takesAll: true, core: cores?.server, profile };
    const server = await startModelgate(setup);
    try {
      const { memory } = await measureOpenStreams(server, asked, count);
      results.push({
        row: `memory of a governed stream, ${count} open`,
        unit: 'KB',
        goal: maxOfStream / 1e3,
        found: memory / count / 1e3,
      });
    } finally {
      await server.stop();
    }
  }
  return results;
}

async function measureFirst(run: Run): Promise<GoalResult[]> {
  const found = await measureFirstEvents(run);
  return found.flatMap(({ server, p50, p99 }) => {
    const row = `first event of a stream, added by ${server} with 100 streams open`;
    return [
      { row: `${row}: p50`, unit: 'ms', goal: 0.5, found: p50 } as const,
      { row: `${row}: p99`, unit: 'ms', goal: 2, found: p99 } as const,
    ];
  });
}

async function measureStarts(): Promise<GoalResult[]> {
  say('start and idle memory');
  const { answeredMs, idleBytes } = await measureStart();
  return [
    { row: 'start to first answer', unit: 'ms', goal: 700, found: median(answeredMs) },
    { row: 'idle memory', unit: 'MB', goal: 110 * 1.048_576, found: idleBytes / 1e6 },
  ];
}

export async function measureGoals(run: Run): Promise<readonly GoalResult[]> {
  return [...(await measureRatios(run)), ...(await measureFirst(run)), ...(await measureStreams(run)), ...(await measureStarts())];
}

export function goalTable(results: readonly GoalResult[]): string[][] {
  const lines = results.map(({ row, unit, goal, found }) => [
    row,
    '',
    `≤ ${goal.toFixed(unit === '×' || unit === 'ms' ? 2 : 0)} ${unit}`,
    `${found.toFixed(2)} ${unit}`,
    found <= goal ? 'met' : 'MISSED',
  ]);
  return [['row', '', 'goal', 'result', ''], ...lines];
}
