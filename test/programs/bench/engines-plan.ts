/** The resources for a million requests per minute, computed from the measurements: every line names its number. */
import type { EngineResult } from './engines.ts';
import { parallel } from './engines-compare.ts';
import type { EngineNumbers } from './engines-load.ts';
import { governedOf, type Table } from './engines-report.ts';
import type { Wall } from './engines-walls.ts';

const rate = 1_000_000 / 60;
/** Busier than this, waiting grows faster than work. */
const busy = 0.6;
/** Of the pool of each process: see `server/store/postgres/postgres.ts`. */
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
    ['resource', 'measured', 'times 16,667 per second'],
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
      `${whole(cpu)} µs per call`,
      `${one(cores)} busy cores: ${whole(Math.ceil(cores / busy))} processes, each ${busy * 100}% busy`,
    ],
    ['connections', `${connections} per process`, `${whole(Math.ceil(cores / busy) * connections)} to PostgreSQL`],
  ];
}

function postgresLines({ postgres = Number.NaN, commits = Number.NaN, log = Number.NaN }: EngineNumbers, hot: Wall, bytes: number): Lines {
  const cores = coresFor(postgres);
  return [
    ['PostgreSQL', `${whole(postgres)} µs per call`, `${one(cores)} busy cores: ${whole(Math.ceil(cores / busy))} cores`],
    ['commits', `${commits.toFixed(2)} per call, in batches`, `${whole(commits * rate)} per second; ${whole(2 * rate)} without sharing`],
    [
      'PostgreSQL log',
      `${(log / 1_000).toFixed(1)} KB per call`,
      `${whole((log * rate) / 1e6)} MB per second, and the same to each replica`,
    ],
    [
      'network of PostgreSQL',
      `${(hot.wireBytes / 1_000).toFixed(1)} KB per call`,
      `${whole((hot.wireBytes * rate * 8) / 1e6)} Mbit per second`,
    ],
    ['disk', `${whole(bytes)} bytes per charge`, `${whole((bytes * rate * 86_400) / 1e9)} GB per day`],
    [
      'one hot account',
      `${whole(hot.pairsPerSecond)} pairs per second`,
      `at least ${whole(Math.ceil(rate / hot.pairsPerSecond))} balances for the entire rate`,
    ],
  ];
}

/** By its CPU, not by its scripts: how much one of them does depends on how many calls share it. */
function redisLines({ redis = Number.NaN, scripts = Number.NaN, redisBytes = Number.NaN }: EngineNumbers): Lines {
  const cores = coresFor(redis);
  return [
    ['Redis', `${whole(redis)} µs per call`, `${one(cores)} busy cores: ${whole(Math.ceil(cores / busy))} shards, of one core each`],
    ['one shard', `${whole(redis)} µs per call`, `about ${whole(1e6 / redis)} calls per second, if never idle`],
    ['scripts', `${scripts.toFixed(2)} per call, shared`, `${whole(scripts * rate)} per second`],
    ['network of Redis', `${(redisBytes / 1_000).toFixed(1)} KB per call`, `${whole((redisBytes * rate * 8) / 1e6)} Mbit per second`],
  ];
}

const coresFor = (micros: number): number => (micros * rate) / 1e6;
const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
const one = (value: number): string => value.toFixed(1);
