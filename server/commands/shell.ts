/** The surroundings of a command: environment, working directory, output streams and signals. */
import type { LineSink } from '../telemetry/stderr.ts';

/** An output stream; a terminal has a width. */
export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export type StopSignal = 'SIGTERM' | 'SIGINT';

/** Signals, and uncaught errors. */
export interface ShellEvents {
  on(signal: StopSignal, listener: (signal: StopSignal) => void): unknown;
  on(signal: 'SIGHUP' | 'SIGUSR2', listener: () => void): unknown;
  on(event: 'uncaughtException', listener: (error: Error, origin: string) => void): unknown;
}

/** The program passes in those of its process; tests that run commands in their own process pass in others. */
export interface Shell {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The working directory: relative paths begin there. */
  readonly folder: string;
  readonly stdout: Screen;
  readonly stderr: Screen;
  /** Marks a heading on stdout; does nothing when that is not a terminal. */
  emphasize(text: string): string;
  /** Where log lines go. Left out: to stderr of the process, buffered and asynchronous. */
  readonly log?: LineSink;
  readonly events: ShellEvents;
  /** The file of the program and its arguments, for more processes of it. */
  readonly program: { readonly file: string; readonly words: readonly string[] };
  /** Called when the gateway has stopped; ends whatever still runs. */
  exit(code: number): void;
}

/** Every command gets it with its options. */
export interface ShellOptions {
  readonly shell: Shell;
}
