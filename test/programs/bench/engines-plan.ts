/** What a million requests a minute would need, computed from what was measured: every line says from which number. */
import type { EngineResult } from './engines.ts';
import { parallel } from './engines-compare.ts';
import type { EngineNumbers } from './engines-load.ts';
import { governedOf, type Table } from './engines-report.ts';
import type { Wall } from './engines-walls.ts';

const rate = 1_000_000 / 60;
/** Busier than this, waiting grows faster than work. */
const busy = 0.6;
/** Of the pool of each process: see `server/storage/postgres/pool.ts`. */
const connections = 10;
const processes = 3;

/** Empty where a part of the measurement is missing. */
export function planTable({ rounds, walls, bytesOfCharge }: EngineResult): Table {
  const call = governedOf(rounds, { engine: 'postgres', processes, accounts: parallel, pace: 'at once' });
  const hot = walls.find(
    ({ store, accounts, pools, parallel: lanes }) => store === 'postgres' && accounts === 1 && pools === 3 && lanes > 1,
  );
  if (!call || !hot || bytesOfCharge === undefined) return [];
  return [
    ['what', 'measured', 'times 16,667 a second'],
    ...gatewayLines(call),
    ...postgresLines(call, hot, bytesOfCharge),
    ...redisLines(call),
  ];
}

type Lines = readonly (readonly string[])[];

function gatewayLines({ cpu = Number.NaN }: EngineNumbers): Lines {
  const cores = coresFor(cpu);
  return [
    [
      'gateways',
      `${whole(cpu)} µs a call`,
      `${one(cores)} cores at work: ${whole(Math.ceil(cores / busy))} processes, each ${busy * 100} % busy`,
    ],
    ['connections', `${connections} a process`, `${whole(Math.ceil(cores / busy) * connections)} to PostgreSQL`],
  ];
}

function postgresLines({ postgres = Number.NaN, commits = Number.NaN, log = Number.NaN }: EngineNumbers, hot: Wall, bytes: number): Lines {
  const cores = coresFor(postgres);
  return [
    ['PostgreSQL', `${whole(postgres)} µs a call`, `${one(cores)} cores at work: ${whole(Math.ceil(cores / busy))} cores`],
    ['commits', `${commits.toFixed(2)} a call, in batches`, `${whole(commits * rate)} a second; ${whole(2 * rate)} were none to share one`],
    ['PostgreSQL log', `${(log / 1_000).toFixed(1)} KB a call`, `${whole((log * rate) / 1e6)} MB a second, and as much to each replica`],
    [
      'network of PostgreSQL',
      `${(hot.wireBytes / 1_000).toFixed(1)} KB a call`,
      `${whole((hot.wireBytes * rate * 8) / 1e6)} Mbit a second`,
    ],
    ['disk', `${whole(bytes)} bytes a charge`, `${whole((bytes * rate * 86_400) / 1e9)} GB a day`],
    [
      'one hot account',
      `${whole(hot.pairsPerSecond)} pairs a second`,
      `at least ${whole(Math.ceil(rate / hot.pairsPerSecond))} balances for all of it`,
    ],
  ];
}

/** By its CPU, not by its scripts: how much one of them does depends on how many calls share it. */
function redisLines({ redis = Number.NaN, scripts = Number.NaN, redisBytes = Number.NaN }: EngineNumbers): Lines {
  const cores = coresFor(redis);
  return [
    ['Redis', `${whole(redis)} µs a call`, `${one(cores)} cores at work: ${whole(Math.ceil(cores / busy))} shards, of one core each`],
    ['one shard', `${whole(redis)} µs a call`, `about ${whole(1e6 / redis)} calls a second, were it never idle`],
    ['scripts', `${scripts.toFixed(2)} a call, shared`, `${whole(scripts * rate)} a second`],
    ['network of Redis', `${(redisBytes / 1_000).toFixed(1)} KB a call`, `${whole((redisBytes * rate * 8) / 1e6)} Mbit a second`],
  ];
}

const coresFor = (micros: number): number => (micros * rate) / 1e6;
const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
const one = (value: number): string => value.toFixed(1);
