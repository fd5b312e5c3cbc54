/** One engine with so many processes: a governed call is held against a plain one, in one account and in many, over a vendor who is quick and one who is not. */
import { type Fleet, type Side, type SideName, sideNames, startFleet } from './engines-fleet.ts';
import { type EngineNumbers, measureEngine } from './engines-load.ts';
import { type SharedStores, startStores } from './engines-stores.ts';
import { WrongAnswer } from './load.ts';
import { verify } from './measure.ts';
import type { Rounds } from './report.ts';
import { type Run, say } from './rounds.ts';
import { type Asked, type Scenario, scenarios, slowScenario } from './scenarios.ts';

export type Engine = 'sqlite' | 'postgres';
/** How long the vendor takes: nothing at all, or 50 to 250 ms. */
export type Pace = 'at once' | 'slow';

/** One line of the comparison. */
export interface EngineRounds extends Rounds {
  readonly engine: Engine;
  readonly processes: number;
  readonly accounts: number;
  readonly pace: Pace;
  readonly servers: ReadonlyMap<SideName, EngineNumbers[]>;
}

/** Calls at a time; as many accounts where each has its own. */
export const parallel = 200;
/** Short rounds leave the clock of the kernel too few ticks to count by. */
export const loadShare = 2;

/** What a governed call may cost the gateways, by one that is neither held nor limited on the same engine. */
const cpuTarget = 1.8;

/** Both sides on one engine, with one account and with many, each in every round. */
export async function compare(engine: Engine, processes: number, run: Run): Promise<EngineRounds[]> {
  const { options, vendor } = run;
  return withFleet({ engine, processes, accounts: parallel + 1 }, run, async (fleet, stores) => {
    const plan = paces.flatMap((pace) => [1, parallel].map((accounts) => roundsOf({ engine, processes, accounts, pace })));
    const loadMs = options.loadMs * loadShare;
    const measure = (side: SideName, { accounts, pace }: EngineRounds) =>
      blaming(fleet.sides[side], () => measureEngine({ ...at(fleet, side, accounts), stores, asked: asked[pace], parallel, loadMs }));
    for (const side of sideNames) {
      for (const gateway of fleet.sides[side].gateways)
        await verify({ ...gateway, key: fleet.sides[side].keys[0] ?? '' }, vendor.child, asked['at once']);
      for (const rounds of plan) await measure(side, rounds);
    }
    for (let round = 0; round < options.rounds; round++)
      for (const rounds of plan) {
        say(`round ${round + 1} of ${options.rounds}: ${rounds.name}`);
        for (const side of round % 2 === 0 ? sideNames : sideNames.toReversed())
          rounds.servers.get(side)?.push(await measure(side, rounds));
      }
    return plan;
  });
}

/** With what the gateways themselves say about it. */
async function blaming<T>({ gateways }: Side, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof WrongAnswer ? new WrongAnswer([error.message, ...gateways.map(({ troubles }) => troubles())].join('\n')) : error;
  }
}

/** The first key is that of the hot account. */
function at({ sides }: Fleet, side: SideName, accounts: number) {
  const { gateways, keys } = sides[side];
  return { gateways, keys: accounts === 1 ? keys.slice(0, 1) : keys.slice(1) };
}

// `as`: a scenario has one name, and this one is there.
const [small] = scenarios.filter(({ name }) => name === 'small') as [Scenario];
const asked: Readonly<Record<Pace, Asked>> = { 'at once': small, slow: slowScenario };
const paces: readonly Pace[] = ['at once', 'slow'];

type Line = Pick<EngineRounds, 'engine' | 'processes' | 'accounts' | 'pace'>;

function roundsOf(line: Line): EngineRounds {
  const { engine, processes, accounts, pace } = line;
  return {
    ...line,
    base: 'plain',
    judged: ['governed'],
    targets: { cpu: cpuTarget },
    direct: [],
    name: `${engine}-${processes}-${accounts === 1 ? 'hot' : 'many'}${pace === 'slow' ? '-slow' : ''}`,
    title: `${parallel} at a time, ${accounts === 1 ? 'one account' : `${accounts} accounts`}, ${asked[pace].title}`,
    servers: new Map(sideNames.map((side) => [side, []])),
  };
}

interface FleetSize {
  readonly engine: Engine;
  readonly processes: number;
  readonly accounts: number;
}

export async function withFleet<T>(
  { engine, processes, accounts }: FleetSize,
  { ground }: Run,
  work: (fleet: Fleet, stores: SharedStores | null) => Promise<T>,
): Promise<T> {
  const stores = engine === 'postgres' ? await startStores(ground.cores) : null;
  try {
    const fleet = await startFleet({ ground, stores, processes, accounts });
    try {
      return await work(fleet, stores);
    } finally {
      await fleet.close();
    }
  } finally {
    await stores?.close();
  }
}
