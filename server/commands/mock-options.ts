/** Options of `modelgate serve` for tests: the simulator instead of all vendors, recording and replay, and reproducible runs. */
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { isWellFormed } from '../access/keys.ts';
import type { Tape } from '../config/config.ts';
import type { StandIn } from '../config/stand-in.ts';
import { Clock, Seed } from '../config/upstream-schema.ts';
import { CommandError } from './failure.ts';

export interface MockOptions {
  readonly simulate?: boolean;
  readonly seed?: string;
  readonly clock?: string;
  readonly key?: string;
  readonly record?: string;
  readonly replay?: string;
}

export function withMockOptions(command: Command): Command {
  return command
    .option('--simulate', 'answer with the simulator only; ignore the upstreams of the file and the environment')
    .option('--seed <text>', 'with --simulate: the same key, the same ids, so the same answers in every run', parseSeed)
    .option('--clock <time>', 'with --simulate: the time in all answers, such as 2026-01-01T00:00:00Z', parseClock)
    .option('--key <key>', 'a key of the first account, in the format of a printed key; created if it does not exist', parseKey)
    .option('--record <folder>', 'save each call and its answer there as a file, without secrets')
    .option('--replay <folder>', 'answer only from such files; call no vendor');
}

export interface MockFlags {
  readonly standIn: StandIn | undefined;
  readonly tape: Tape | undefined;
}

/** Throws when options exclude each other. */
export function readMockFlags(options: MockOptions, folder: string): MockFlags {
  const { simulate = false, seed, clock, record, replay } = options;
  if (!simulate && (seed !== undefined || clock !== undefined)) throw new CommandError('--seed and --clock need --simulate.');
  if (replay !== undefined && (record !== undefined || simulate)) throw new CommandError('--replay excludes --record and --simulate.');
  const recorded: Tape | undefined = record === undefined ? undefined : { kind: 'record', folder: resolve(folder, record) };
  if (replay !== undefined) return { standIn: { name: 'replay' }, tape: { kind: 'replay', folder: resolve(folder, replay) } };
  return { standIn: simulate ? { name: 'simulator', seed, clock } : undefined, tape: recorded };
}

function parseSeed(text: string): string {
  if (Seed.safeParse(text).success) return text;
  throw new InvalidArgumentError('Write a text of 1 to 200 characters.');
}

function parseClock(text: string): string {
  if (Clock.safeParse(text).success) return text;
  throw new InvalidArgumentError('Write a time such as 2026-01-01T00:00:00Z.');
}

function parseKey(text: string): string {
  if (isWellFormed(text)) return text;
  throw new InvalidArgumentError('Give a key that `modelgate serve` or `modelgate key create` printed, or use --seed.');
}
