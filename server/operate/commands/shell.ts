/** Defines what a command gets from its process: environment, working directory, output streams, and signals. */
import { readEnvironmentFile } from '../../config/environment-file.ts';
import type { Environment } from '../../config/references.ts';
import type { LineSink } from '../../telemetry/line-sink.ts';

/** An output stream. A terminal has a width. */
export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export type StopSignal = 'SIGTERM' | 'SIGINT';

/** Signals and uncaught errors. */
export interface ShellEvents {
  on(signal: StopSignal, listener: (signal: StopSignal) => void): unknown;
  on(signal: 'SIGHUP' | 'SIGUSR2', listener: () => void): unknown;
  on(event: 'uncaughtException', listener: (error: Error, origin: string) => void): unknown;
  off(signal: StopSignal, listener: (signal: StopSignal) => void): unknown;
}

/** A command's environment. The program passes its process's environment, and tests pass substitutes. */
export interface Shell {
  readonly env: Environment;
  /** Working directory, which relative paths start from. */
  readonly folder: string;
  readonly stdout: Screen;
  readonly stderr: Screen;
  /** Highlights a heading on stdout. Does nothing if stdout isn't a terminal. */
  emphasize(text: string): string;
  /** Receives log lines. Defaults to stderr of the process, buffered and asynchronous. */
  readonly log?: LineSink;
  readonly events: ShellEvents;
  /** File and arguments of the program, to start more processes. */
  readonly program: { readonly file: string; readonly words: readonly string[] };
  /** Called when the gateway has stopped. Ends everything that still runs. */
  exit(code: number): void;
}

/** Options that every command gets. */
export interface ShellOptions {
  readonly shell: Shell;
}

/** Adds the variables of a file, which is read on each access, so that a reload sees its changes. */
export function withEnvironmentFile(shell: Shell, file = shell.env.MODELGATE_ENVIRONMENT_FILE): Shell {
  if (!file) return shell;
  return Object.create(shell, { env: { get: (): Environment => ({ ...shell.env, ...readEnvironmentFile(file, shell.folder) }) } });
}
