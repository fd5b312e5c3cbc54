/** The options that make `serve` a predictable mock: simulated or recorded upstreams, a seed, a clock, a fixed key. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { hasKeyFormat } from '../../access/key-format.ts';
import type { Tape } from '../../config/config.ts';
import type { UpstreamOverride } from '../../config/overrides.ts';
import { Clock, Seed } from '../../config/schema-upstreams.ts';
import { parseScript } from '../../config/scripted-answer.ts';
import { CommandError } from './command-error.ts';

export interface MockOptions {
  readonly simulate?: boolean;
  readonly seed?: string;
  readonly clock?: string;
  readonly script?: string;
  readonly strict?: boolean;
  readonly key?: string;
  readonly record?: string;
  readonly replay?: string;
}

export function addMockOptions(command: Command): Command {
  const mock = command.option('--simulate', 'serve the simulator only; ignores configured upstreams');
  return addSimulatorOptions(mock, 'with --simulate: ').option(
    '--key <key>',
    "key of the first account, in the format that serve prints; created if it doesn't exist",
    parseKey,
  );
}

/** `condition` starts the descriptions of options for the simulator. */
export function addSimulatorOptions(command: Command, condition = ''): Command {
  return command
    .option('--seed <text>', `${condition}same key, IDs, and responses in every run`, parseSeed)
    .option('--clock <time>', `${condition}the time in all responses, such as 2026-01-01T00:00:00Z`, parseClock)
    .option('--script <file>', `${condition}respond with the scripted responses of this file (JSON or YAML), in order`)
    .option('--strict', `${condition}reject unknown fields, and requests without a scripted response`)
    .option('--record <folder>', 'save each call and its response to a file in this folder, without secrets')
    .option('--replay <folder>', 'respond only from recorded files; calls no provider');
}

/** Throws if options exclude each other. */
export function readMockFlags(options: MockOptions, folder: string): { override: UpstreamOverride | undefined; tape: Tape | undefined } {
  const { simulate = false, seed, clock, script, strict, record, replay } = options;
  const isSimulated = simulate || (seed ?? clock ?? script ?? strict) !== undefined;
  if (replay !== undefined && (record !== undefined || isSimulated))
    throw new CommandError("--replay can't be combined with --record, --simulate, --seed, --clock, --script, or --strict.");
  if (isSimulated && !simulate) throw new CommandError('--seed, --clock, --script, and --strict require --simulate.');
  const recordTape: Tape | undefined = record === undefined ? undefined : { kind: 'record', folder: resolve(folder, record) };
  if (replay !== undefined) return { override: { name: 'replay' }, tape: { kind: 'replay', folder: resolve(folder, replay) } };
  if (!simulate) return { override: undefined, tape: recordTape };
  const answers = script === undefined ? undefined : readScript(resolve(folder, script));
  return { override: { name: 'simulator', seed, clock, strict, answers }, tape: recordTape };
}

function readScript(file: string): ReturnType<typeof parseScript> {
  try {
    return parseScript(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new CommandError(`Can't read the script ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function parseSeed(text: string): string {
  if (Seed.safeParse(text).success) return text;
  throw new InvalidArgumentError('Enter 1 to 200 characters.');
}

function parseClock(text: string): string {
  if (Clock.safeParse(text).success) return text;
  throw new InvalidArgumentError('Enter a time such as 2026-01-01T00:00:00Z.');
}

function parseKey(text: string): string {
  if (hasKeyFormat(text)) return text;
  throw new InvalidArgumentError('Specify a key that `modelgate serve` or `modelgate key create` printed, or use --seed.');
}
