/** Errors that an operator can correct, and the report of a failed command on stderr. */

import { CommanderError, InvalidArgumentError } from 'commander';
import { ConfigError } from '../../config/config-error.ts';
import { StorageError } from '../../store/errors.ts';
import { exitCodes } from './exit-codes.ts';
import { findGuide, formatGuideLink } from './guide-links.ts';
import type { Shell } from './shell.ts';

/** An error that the operator can correct. The message says how. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** Thrown if the failure was already printed, so that only the exit code remains. */
export class ReportedError extends Error {
  override readonly name = 'ReportedError';
  readonly exitCode: number;

  constructor(exitCode: number = exitCodes.failed) {
    super();
    this.exitCode = exitCode;
  }
}

/** Writes the reason to stderr, unless it was already written, and returns the exit code. */
export function reportFailure(error: unknown, { stderr, env }: Pick<Shell, 'stderr' | 'env'>): number {
  // Commander reports values that it parses itself; values that a command parses later are reported here.
  if (error instanceof InvalidArgumentError) stderr.write(`modelgate: ${error.message}\n`);
  // Commander ends help and version with an error that has code 0.
  if (error instanceof CommanderError) {
    // npm reads options itself, unless they come after "--".
    if (error.code === 'commander.excessArguments' && env.npm_lifecycle_event === 'start')
      stderr.write('With npm, options come after "--", such as: npm start -- --port 9090\n');
    return error.exitCode === 0 ? exitCodes.done : exitCodes.misused;
  }
  if (!(error instanceof ReportedError)) stderr.write(`${formatFailure(error)}\n`);
  const guide = findGuide(error);
  if (guide !== undefined) stderr.write(`${formatGuideLink(guide)}\n`);
  return error instanceof ReportedError ? error.exitCode : exitCodes.failed;
}

function formatFailure(error: unknown): string {
  if (error instanceof ConfigError) {
    const count = error.problems.length === 1 ? 'a problem' : `${error.problems.length} problems`;
    return `modelgate: the configuration has ${count}. Nothing was done.\n${error.message.replaceAll(/^/gm, '  ')}`;
  }
  if (error instanceof CommandError || error instanceof StorageError) return `modelgate: ${error.message}`;
  // Any other error is a bug. Its stack helps to find it.
  return `modelgate: unexpected error. ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}
