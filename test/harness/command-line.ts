/** Runs the command line inside the test, without a process. Each run has its own folder, environment, outputs and signals. */
import { EventEmitter, once } from 'node:events';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { runCommandLine } from '../../server/operate/commands/command-line.ts';
import type { Shell } from '../../server/operate/commands/shell.ts';
import { temporaryFolder } from './folder.ts';

export interface Outcome {
  /** The exit code; null when a signal without a listener ended the run. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Place {
  /** The working directory. */
  readonly folder?: string;
  /** The whole environment: no variable of the test process is added. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface Running {
  readonly stdout: PassThrough;
  readonly stderr: PassThrough;
  readonly ended: Promise<number | null>;
  /** Resolves when the command listens for SIGHUP: the module of the command is loaded after the start. */
  readonly listensForSighup: Promise<void>;
  kill(signal: 'SIGTERM' | 'SIGINT' | 'SIGHUP'): void;
}

export function start(words: readonly string[], { folder = temporaryFolder(), env = {} }: Place = {}): Running {
  const [stdout, stderr, events] = [new PassThrough(), new PassThrough(), new EventEmitter()];
  const killed = Promise.withResolvers<null>();
  const sighup = Promise.withResolvers<void>();
  events.on('newListener', (name) => {
    if (name === 'SIGHUP') sighup.resolve();
  });
  const finished = runCommandLine(words, shellOf({ folder, env, stdout, stderr, events }));
  const ended = Promise.race([finished, killed.promise]).finally(() => {
    stdout.end();
    stderr.end();
  });
  let [isTold, isOver] = [false, false];
  void finished.then(() => {
    isOver = true;
  });
  onTestFinished(async () => {
    // After a failed test the command may still run, and may not listen for signals yet. A second signal would end it before it closes its files.
    while (!isOver && !isTold) {
      await setImmediate();
      isTold ||= !isOver && events.emit('SIGTERM', 'SIGTERM');
    }
    await finished;
  });
  return {
    stdout,
    stderr,
    ended,
    listensForSighup: sighup.promise,
    kill(signal) {
      // Without a listener the signal ends the run, as it would end a process.
      if (!events.emit(signal, signal)) killed.resolve(null);
      else isTold ||= signal !== 'SIGHUP';
    },
  };
}

interface ShellParts extends Required<Place> {
  readonly stdout: PassThrough;
  readonly stderr: PassThrough;
  readonly events: EventEmitter;
}

function shellOf({ folder, env, stdout, stderr, events }: ShellParts): Shell {
  return {
    folder,
    env,
    stdout: screenOn(stdout),
    stderr: screenOn(stderr),
    events,
    program: { file: '', words: [] },
    emphasize: (heading) => heading,
    log: screenOn(stderr),
    // The run has ended already.
    exit: () => undefined,
  };
}

/** Output after the end is dropped, as with a process. */
const screenOn = (stream: PassThrough): Shell['stdout'] => ({ write: (words) => stream.writableEnded || stream.write(words) });

export async function modelgate(words: readonly string[], place?: Place): Promise<Outcome> {
  const { stdout, stderr, ended } = start(words, place);
  const [out, err, code] = await Promise.all([text(stdout), text(stderr), ended]);
  return { code, stdout: out, stderr: err };
}

export interface Serving extends Running {
  readonly banner: string;
  /** The origin, without a path. */
  readonly origin: string;
  /** The key that only a first start prints. */
  readonly key: string | undefined;
  /** The text on stderr so far. */
  log(): string;
  /** Resolves when stderr contains the text. */
  says(words: string): Promise<void>;
  /** Sends SIGTERM. Resolves with the exit code. */
  stop(): Promise<number | null>;
}

/** Starts a gateway on any free port. Resolves when it has printed its banner. */
export async function serve(place: Place = {}, words: readonly string[] = []): Promise<Serving> {
  const running = start(['serve', '--port', '0', ...words], place);
  let log = '';
  running.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    log += chunk;
  });
  // The command writes it whole.
  const banner = await Promise.race([once(running.stdout.setEncoding('utf8'), 'data').then(String), running.ended]);
  if (typeof banner !== 'string') throw new Error(`it ended before it was ready: ${log}`);
  return {
    ...running,
    banner,
    origin: /Base URL +(http:\S+)\/v1\n/.exec(banner)?.[1] ?? '',
    key: /API key +(mg-\w+)/.exec(banner)?.[1],
    log: () => log,
    async says(wanted) {
      while (!log.includes(wanted)) {
        const more = await Promise.race([once(running.stderr, 'data'), running.ended]);
        if (!Array.isArray(more)) throw new Error(`it ended with ${more} and never said '${wanted}': ${log}`);
      }
    },
    stop() {
      running.kill('SIGTERM');
      return running.ended;
    },
  };
}
