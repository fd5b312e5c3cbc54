/** What a command meets around it: the environment, the working directory, where it writes, and what tells it to end. */
import type { LineSink } from '../telemetry/stderr.ts';

/** What is written to; a terminal knows its width. */
export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export type StopSignal = 'SIGTERM' | 'SIGINT';

/** What a process is told from outside, and errors that nobody in it caught. */
export interface ShellEvents {
  on(signal: StopSignal, listener: (signal: StopSignal) => void): unknown;
  on(signal: 'SIGHUP', listener: () => void): unknown;
  on(event: 'uncaughtException', listener: (error: Error, origin: string) => void): unknown;
}

/** The real program gives its commands what its process has; a program that runs commands within itself gives them something else. */
export interface Shell {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The working directory: relative paths begin there. */
  readonly folder: string;
  readonly stdout: Screen;
  readonly stderr: Screen;
  /** Marks a heading on stdout; does nothing where that is no terminal. */
  emphasize(text: string): string;
  /** Where the lines of a log go; left out, to the stderr of the process, gathered and without anybody waiting. */
  readonly log?: LineSink;
  readonly events: ShellEvents;
  /** A gateway that has been stopped: whatever of it still runs ends now. */
  exit(code: number): void;
}

/** Each command finds it among its options. */
export interface ShellOptions {
  readonly shell: Shell;
}
