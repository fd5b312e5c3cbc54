/** Options of `modelgate serve` for people whose tests call it: the simulator in place of all vendors, calls recorded and replayed, and what is the same in every run. */
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
    .option('--simulate', 'answer by the simulator alone, whatever upstreams the file and the environment name')
    .option('--seed <text>', 'with --simulate: the same key, the same ids, so the same answers in every run', parseSeed)
    .option('--clock <time>', 'with --simulate: the time in all answers, such as 2026-01-01T00:00:00Z', parseClock)
    .option('--key <key>', 'a key of the first account, made where there is none like it; one that was printed before', parseKey)
    .option('--record <folder>', 'keep each call and its answer as a file there, without secrets')
    .option('--replay <folder>', 'answer from such files alone; no vendor is asked');
}

export interface MockFlags {
  readonly standIn: StandIn | undefined;
  readonly tape: Tape | undefined;
}

/** Throws where options do not go together. */
export function readMockFlags(options: MockOptions, folder: string): MockFlags {
  const { simulate = false, seed, clock, record, replay } = options;
  if (!simulate && (seed !== undefined || clock !== undefined))
    throw new CommandError('--seed and --clock go with --simulate: say that, too.');
  if (replay !== undefined && (record !== undefined || simulate))
    throw new CommandError('--replay answers alone: leave --record and --simulate out.');
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
  throw new InvalidArgumentError('Take a key that `modelgate serve` or `modelgate key create` has printed, or --seed in its place.');
}
