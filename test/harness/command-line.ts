/** The command line as its users meet it, run within the test: a folder, an environment, outputs and signals of its own in place of a process. */
import { EventEmitter, once } from 'node:events';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { runCommandLine } from '../../server/commands/command-line.ts';
import type { Shell } from '../../server/commands/shell.ts';
import { temporaryFolder } from './folder.ts';

export interface Outcome {
  /** Null where a signal ended it that it did not listen for. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Place {
  /** The working directory. */
  readonly folder?: string;
  /** All of it: nothing of our own environment is in it. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface Running {
  readonly stdout: PassThrough;
  readonly stderr: PassThrough;
  readonly ended: Promise<number | null>;
  kill(signal: 'SIGTERM' | 'SIGINT' | 'SIGHUP'): void;
}

export function start(words: readonly string[], { folder = temporaryFolder(), env = {} }: Place = {}): Running {
  const [stdout, stderr, events] = [new PassThrough(), new PassThrough(), new EventEmitter()];
  const killed = Promise.withResolvers<null>();
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
    // A test that failed may have left it running, and not yet listening. A second signal would end it before it has closed what it opened.
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
    kill(signal) {
      // As the system does with a process.
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
    // Nothing of it is left to be ended.
    exit: () => undefined,
  };
}

/** What is written after the end is lost, as it is with a process. */
const screenOn = (stream: PassThrough): Shell['stdout'] => ({ write: (words) => stream.writableEnded || stream.write(words) });

export async function modelgate(words: readonly string[], place?: Place): Promise<Outcome> {
  const { stdout, stderr, ended } = start(words, place);
  const [out, err, code] = await Promise.all([text(stdout), text(stderr), ended]);
  return { code, stdout: out, stderr: err };
}

export interface Serving extends Running {
  readonly banner: string;
  /** Without a path. */
  readonly origin: string;
  /** Shown by a first start alone. */
  readonly key: string | undefined;
  /** What stands on stderr so far. */
  log(): string;
  /** Resolves as soon as that stands there. */
  says(words: string): Promise<void>;
  /** By SIGTERM; its exit code. */
  stop(): Promise<number | null>;
}

/** Resolves when the gateway has shown its banner. It takes any free port. */
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
