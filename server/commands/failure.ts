/** How a command ends: the exit code, and an error as one line that a person can act on. */
import { CommanderError, InvalidArgumentError } from 'commander';
import { ConfigError } from '../config/problems.ts';
import { StorageError } from '../storage/errors.ts';
import { guideOf, guideText } from './guides.ts';
import type { Shell } from './shell.ts';

export const exitCodes = { done: 0, failed: 1, misused: 2 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export const EXIT_CODE_HELP = `
Exit codes:
  0  done
  1  failed; the reason is on stderr
  2  the command was not understood`;

/** An error that the operator can correct; its message says how. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** The failure was already printed; only the exit code is left. */
export class ToldFailure extends Error {
  override readonly name = 'ToldFailure';
}

/** Writes the reason to stderr, unless it was written already, and returns the exit code. */
export function reportFailure(error: unknown, { stderr }: Pick<Shell, 'stderr'>): ExitCode {
  // Commander reports values that it parses itself; values that a command parses later are reported here.
  if (error instanceof InvalidArgumentError) stderr.write(`modelgate: ${error.message}\n`);
  // Commander ends help and version with an error that has code 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.misused;
  if (!(error instanceof ToldFailure)) stderr.write(`${failureText(error)}\n`);
  const guide = guideOf(error);
  if (guide !== undefined) stderr.write(`${guideText(guide)}\n`);
  return exitCodes.failed;
}

function failureText(error: unknown): string {
  if (error instanceof ConfigError) {
    const count = error.problems.length === 1 ? 'a problem' : `${error.problems.length} problems`;
    return `modelgate: the configuration has ${count}, nothing was done.\n${error.message.replaceAll(/^/gm, '  ')}`;
  }
  if (error instanceof CommandError || error instanceof StorageError) return `modelgate: ${error.message}`;
  // This error is a bug: its stack helps to find it.
  return `modelgate: unexpected error. ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}
