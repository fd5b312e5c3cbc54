/** The page on scale: its tables can be written anew by one command, and its arithmetic is what it says. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { EngineResult } from '../../programs/bench/engines.ts';
import type { EngineRounds } from '../../programs/bench/engines-compare.ts';
import { replaceBlock } from '../../programs/bench/engines-page.ts';
import { planTable } from '../../programs/bench/engines-plan.ts';
import type { Wall } from '../../programs/bench/engines-walls.ts';
import { help, readOptions } from '../../programs/bench/options.ts';
import { canReadTrees } from '../../programs/bench/process-tree.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/scale.md'), 'utf8');

describe('an operator who measures anew', () => {
  it('types a command of the page that the benchmark understands', () => {
    const [, options = ''] = /^npm run bench -- (.*)$/m.exec(page) ?? [];
    expect(readOptions(options.split(' '))).toMatchObject({ only: ['engines'], write: 'docs/scale.md' });
    expect(help).toContain('engines');
  });

  it.each(['engines', 'steps', 'memory', 'walls', 'plan'])('finds a place for the table of %s, with a table in it', (name) => {
    const written = replaceBlock(page, name, 'NEW TABLE');
    expect(written).toContain(`<!-- measured: ${name} -->\n\nNEW TABLE\n\n<!-- end: ${name} -->`);
    const block = page.slice(page.indexOf(`<!-- measured: ${name} -->`), page.indexOf(`<!-- end: ${name} -->`));
    expect(block.split('\n').filter((line) => line.startsWith('|')).length).toBeGreaterThan(2);
  });

  it('keeps what stands around a table', () => {
    const text = 'before\n<!-- measured: walls -->\n\nold\n\n<!-- end: walls -->\nafter\n';
    expect(replaceBlock(text, 'walls', 'new')).toBe('before\n<!-- measured: walls -->\n\nnew\n\n<!-- end: walls -->\nafter\n');
  });

  it('is told of a page without a place for it', () => {
    expect(() => replaceBlock('# Empty\n', 'walls', 'new')).toThrow('<!-- measured: walls -->');
  });
});

const numbers = {
  cpu: 300,
  perSecond: 2_000,
  postgres: 120,
  redis: 60,
  commits: 0.1,
  log: 1_500,
  scripts: 3,
  scriptMicros: 90,
  redisBytes: 2_500,
};
const step = { postgres: 100, redis: 50, commits: 0.02, log: 1_600, scripts: 2, scriptMicros: 40, redisBytes: 1_600 };
const wall = { ...step, pools: 3, parallel: 200, pairsPerSecond: 5_000, wireBytes: 600 };

describe('an operator who plans a million requests a minute', () => {
  const rounds: EngineRounds = {
    engine: 'postgres',
    processes: 3,
    accounts: 200,
    pace: 'at once',
    name: 'postgres-3-many',
    title: '',
    base: 'plain',
    judged: [],
    targets: {},
    direct: [],
    servers: new Map([['governed', [numbers]]]),
  };
  const walls: readonly Wall[] = [
    { ...wall, store: 'postgres', accounts: 1 },
    { ...wall, store: 'redis', accounts: 200, pools: 1 },
  ];
  const measured: EngineResult = { rounds: [rounds], walls, memory: {}, bytesOfCharge: 900, loadBefore: 0, missing: null, waits: [] };

  it('gets every figure as the measured one times 16,667 a second', () => {
    const plan = new Map(planTable(measured).map(([what, , needed]) => [what, needed]));
    expect(plan.get('gateways')).toBe('5.0 cores at work: 9 processes, each 60 % busy');
    expect(plan.get('connections')).toMatch(/^90 to PostgreSQL/);
    expect(plan.get('PostgreSQL')).toBe('2.0 cores at work: 4 cores');
    expect(plan.get('commits')).toMatch(/^1,667 a second; 33,333 /);
    expect(plan.get('disk')).toBe('1,296 GB a day');
    expect(plan.get('one hot account')).toBe('at least 4 balances for all of it');
    expect(plan.get('Redis')).toBe('1.0 cores at work: 2 shards, of one core each');
  });

  it('finds the wall of Redis by the CPU that a call takes there, however many calls share a script', () => {
    const planOf = (scripts: number) =>
      new Map(
        planTable({ ...measured, rounds: [{ ...rounds, servers: new Map([['governed', [{ ...numbers, scripts }]]]) }] }).map(
          ([what, , needed]) => [what, needed],
        ),
      );
    for (const scripts of [0.1, 3]) expect(planOf(scripts).get('one shard')).toBe('about 16,667 calls a second, were it never idle');
    expect(planOf(0.1).get('scripts')).toBe('1,667 a second');
  });

  it('gets none where a part was not measured', () => {
    expect(planTable({ ...measured, walls: [] })).toEqual([]);
  });
});

/** A process of its own: one that ran other tests has the CPU of their ended children in its count. */
const program = `
  import { cpuOf } from ${JSON.stringify(new URL('../../programs/bench/process-tree.ts', import.meta.url).href)};
  const used = () => process.cpuUsage().user + process.cpuUsage().system;
  while (used() < 200_000);
  console.log(JSON.stringify([used(), cpuOf(process.pid), used()]));
`;

it.runIf(canReadTrees)('the CPU read for a process is no less than it had used before, and no more than after', () => {
  const [before = 0, seen = 0, after = 0] = JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' }),
  );
  // The kernel shows whole ticks of 10 ms, of user and system time each.
  expect(seen).toBeGreaterThan(before - 20_000);
  expect(seen).toBeLessThan(after + 20_000);
});
