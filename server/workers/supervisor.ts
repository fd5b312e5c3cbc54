/** The supervisor of `serve --workers`: starts the workers on one port, replaces those that end, and passes signals on. */

import type { Worker } from 'node:cluster';
import cluster from 'node:cluster';
import type { Config } from '../config/config.ts';
import { LimitCounter, type LimitsChannel, type Question, type Reply } from '../limits/asked.ts';
import type { Log } from '../telemetry/log.ts';

interface SupervisorParts {
  /** How many workers. */
  readonly count: number;
  readonly log: Log;
  /** The program and its arguments, as this process was started. */
  readonly program: string;
  readonly words: readonly string[];
  /** Undefined when metrics are off. */
  readonly metricsOrigin: string | undefined;
}

/** A worker that ends sooner than this after its start is replaced later and later. */
const SOUND_MS = 60_000;
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;

interface Running {
  readonly worker: Worker;
  readonly startedAt: number;
  isReady: boolean;
  /** A reload was asked for before it was ready: it may have read the file of before. */
  mustReload: boolean;
  /** It was told to stop, or is replaced: its end is no failure. */
  isLeaving: boolean;
  /** Told when it is ready (true), or has ended before (false). */
  readonly heard: PromiseWithResolvers<boolean>;
}

export class Supervisor {
  readonly #parts: SupervisorParts;
  readonly #running = new Map<number, Running>();
  readonly #scrapes = new Scrapes();
  readonly #limits = new LimitCounter();
  readonly #ended = Promise.withResolvers<number>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #pauseMs = FIRST_PAUSE_MS;
  #isStopping = false;
  #isRolling = false;
  #code = 0;

  constructor(parts: SupervisorParts) {
    this.#parts = parts;
    const { program, words } = parts;
    // Workers accept connections themselves. Where the supervisor hands them over, one that is on its way to a worker that dies is never answered and never closed.
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    cluster.setupPrimary({ exec: program, args: [...words] });
    cluster.on('message', (worker, message: unknown) => this.#onMessage(worker, message));
    cluster.on('exit', (worker, code, signal) => this.#left(worker, code ?? 1, signal));
  }

  /** Starts the first worker, which prepares the stores, and then the others. Resolves with the exit code when all have ended. */
  async run(): Promise<number> {
    const first = this.#start('first');
    if (await first.heard.promise) for (let at = 1; at < this.#parts.count && !this.#isStopping; at++) this.#start('next');
    return await this.#ended.promise;
  }

  /** The first time gracefully, the second time at once. */
  stop(): void {
    this.#isStopping = true;
    for (const timer of this.#timers) clearTimeout(timer);
    for (const one of this.#running.values()) one.worker.process.kill('SIGTERM');
    this.#endWhenAlone();
  }

  /** All workers read the configuration again. One that is starting does so when it is ready: before that, the signal could end it. */
  reload(except?: number): void {
    for (const [id, one] of this.#running) {
      if (id === except) continue;
      if (one.isReady) one.worker.process.kill('SIGHUP');
      else one.mustReload = true;
    }
  }

  /** Replaces one worker after the other: a new program is in place without a rejected call. */
  async roll(): Promise<void> {
    if (this.#isRolling || this.#isStopping) return;
    this.#isRolling = true;
    this.#parts.log.info({ workers: this.#running.size }, 'replacing the workers one by one');
    for (const old of [...this.#running.values()]) {
      const isReady = await this.#start('next').heard.promise;
      if (!isReady || this.#isStopping) break;
      old.isLeaving = true;
      old.worker.process.kill('SIGTERM');
    }
    this.#isRolling = false;
  }

  /** The metrics of all workers as one text. */
  async scrape(): Promise<string> {
    const workers = [...this.#running.values()].filter(({ isReady }) => isReady).map(({ worker }) => worker);
    return mergeMetrics(await this.#scrapes.collect(workers));
  }

  #start(place: 'first' | 'next'): Running {
    const { metricsOrigin } = this.#parts;
    const env = { [WORKER_VARIABLE]: place, ...(metricsOrigin !== undefined && { [METRICS_VARIABLE]: metricsOrigin }) };
    const worker = cluster.fork(env);
    const one: Running = {
      worker,
      startedAt: performance.now(),
      isReady: false,
      mustReload: false,
      isLeaving: false,
      heard: Promise.withResolvers(),
    };
    this.#running.set(worker.id, one);
    return one;
  }

  #onMessage(worker: Worker, message: unknown): void {
    const one = this.#running.get(worker.id);
    if (!one || !isMessage(message)) return;
    // `as`: workers run the same program.
    const told = message as FromWorker;
    if (told.kind === 'metrics') this.#scrapes.onMessage(told.id, worker.id, told.text);
    else if (told.kind === 'limits') {
      const reply = this.#limits.answer(worker.id, told.question);
      if (worker.isConnected()) worker.send({ kind: 'limits', reply } satisfies ToWorker);
    } else if (told.kind === 'reloaded') this.reload(worker.id);
    else if (told.kind === 'ready') {
      one.isReady = true;
      one.heard.resolve(true);
      if (one.mustReload) worker.process.kill('SIGHUP');
      this.#parts.log.info({ pid: worker.process.pid, workers: this.#running.size }, 'worker started');
    }
  }

  #left(worker: Worker, code: number, signal: string | null): void {
    const one = this.#running.get(worker.id);
    if (!one) return;
    this.#running.delete(worker.id);
    this.#scrapes.forget(worker.id);
    this.#limits.forget(worker.id);
    one.heard.resolve(false);
    if (this.#isStopping) {
      this.#code = Math.max(this.#code, code);
      this.#endWhenAlone();
    } else if (!one.isLeaving) this.#failed(one, { code, signal });
  }

  #failed(one: Running, end: { readonly code: number; readonly signal: string | null }): void {
    const isFirstStart = !one.isReady && this.#running.size === 0 && this.#pauseMs === FIRST_PAUSE_MS;
    // A first worker that cannot start has said why; the next one could not either.
    if (isFirstStart) this.#ended.resolve(Math.max(end.code, 1));
    else {
      this.#parts.log.error({ pid: one.worker.process.pid, ...end, workers: this.#running.size }, 'worker exited; replacing it');
      this.#replace(one);
    }
  }

  #replace({ startedAt }: Running): void {
    const isSound = performance.now() - startedAt > SOUND_MS;
    this.#pauseMs = isSound ? FIRST_PAUSE_MS : Math.min(2 * this.#pauseMs, MAX_PAUSE_MS);
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer);
        this.#start('next');
      },
      isSound ? 0 : this.#pauseMs / 2,
    );
    this.#timers.add(timer);
  }

  #endWhenAlone(): void {
    if (this.#isStopping && this.#running.size === 0) this.#ended.resolve(this.#code);
  }
}

/** One metric: its lines of HELP and TYPE, and its series in the order of the first text that had each. */
interface Family {
  readonly head: string[];
  readonly values: Map<string, number>;
}

type Combine = (one: number, other: number) => number;
const sum: Combine = (one, other) => one + other;

/** Gauges whose sum says nothing, by the beginning of their names. All other gauges count things or bytes. */
const states: readonly (readonly [string, Combine])[] = [
  ['modelgate_breaker_state', Math.max],
  ['modelgate_event_loop_delay', Math.max],
  // 1 only when all workers count in Redis.
  ['modelgate_limits_shared', Math.min],
  ['target_info', Math.max],
];

const combineOf = (name: string): Combine => states.find(([start]) => name.startsWith(start))?.[1] ?? sum;

export function mergeMetrics(texts: readonly string[]): string {
  const families = new Map<string, Family>();
  for (const text of texts) readInto(families, text);
  return [...families.values()].map(textOf).join('');
}

function readInto(families: Map<string, Family>, text: string): void {
  let family: Family = { head: [], values: new Map() };
  let combine = sum;
  let isNew = false;
  for (const line of text.split('\n')) {
    const [, kind, name = ''] = /^# (HELP|TYPE) (\S+)/.exec(line) ?? [];
    if (kind !== undefined) {
      const known = families.get(name);
      isNew = known === undefined || (isNew && known === family);
      family = known ?? { head: [], values: new Map() };
      combine = combineOf(name);
      families.set(name, family);
      if (isNew) family.head.push(line);
    } else addSeries(family, line, combine);
  }
}

function addSeries({ values }: Family, line: string, combine: Combine): void {
  // The value is behind the last blank; labels may hold blanks.
  const at = line.lastIndexOf(' ');
  if (at < 0 || line.startsWith('#')) return;
  const series = line.slice(0, at);
  const before = values.get(series);
  const value = Number(line.slice(at + 1).replace('Inf', 'Infinity'));
  values.set(series, before === undefined ? value : combine(before, value));
}

const textOf = ({ head, values }: Family): string =>
  [...head, ...[...values].map(([series, value]) => `${series} ${written(value)}`), ''].join('\n');

/** Prometheus spells infinity in its own way. */
const written = (value: number): string => (Number.isFinite(value) ? String(value) : value > 0 ? '+Inf' : value < 0 ? '-Inf' : 'NaN');

export interface WorkerLink {
  /** Whether this worker prints the banner: the first of the first start. */
  readonly isFirst: boolean;
  /** Where the supervisor serves the metrics of all workers; undefined when they are off. */
  readonly metricsOrigin: string | undefined;
  /** To the limits that the supervisor counts. */
  readonly limits: LimitsChannel;
  /** The worker listens. */
  ready(): void;
  /** An operator has reloaded the configuration of this worker. */
  reloaded(): void;
  /** Answers the supervisor when it collects the metrics. */
  answerScrapes(scrape: () => Promise<string>): void;
  /** Called when the supervisor has died: the worker has to stop. */
  onOrphaned(listener: () => void): void;
}

/** Null in a process that no supervisor has started. */
export function workerLink(env: Readonly<Record<string, string | undefined>>): WorkerLink | null {
  const place = env[WORKER_VARIABLE];
  if (place === undefined || process.send === undefined) return null;
  const send = (message: FromWorker): void => {
    // The supervisor may be gone; then `disconnect` says so.
    if (process.connected) process.send?.(message);
  };
  return {
    isFirst: place === 'first',
    metricsOrigin: env[METRICS_VARIABLE],
    ready: () => send({ kind: 'ready' }),
    reloaded: () => send({ kind: 'reloaded' }),
    limits: {
      ask: (question) => send({ kind: 'limits', question }),
      onReply: (listener) => onMessage('limits', ({ reply }) => listener(reply)),
    },
    answerScrapes(scrape) {
      onMessage('scrape', ({ id }) => {
        // A worker that cannot tell its own leaves the others as they are; its log says why.
        void scrape().then(
          (text) => send({ kind: 'metrics', id, text }),
          () => send({ kind: 'metrics', id, text: '' }),
        );
      });
    },
    onOrphaned: (listener) => void process.on('disconnect', listener),
  };
}

type MessageOf<K extends ToWorker['kind']> = Extract<ToWorker, { readonly kind: K }>;

function onMessage<K extends ToWorker['kind']>(kind: K, listener: (message: MessageOf<K>) => void): void {
  process.on('message', (message: unknown) => {
    // `as`: the supervisor runs the same program.
    if (isMessage(message) && message.kind === kind) listener(message as MessageOf<K>);
  });
}

/** Prometheus itself waits ten seconds. */
const MAX_MS = 4_000;

interface Open {
  readonly waiting: Set<number>;
  readonly texts: Map<number, string>;
  done(): void;
}

class Scrapes {
  readonly #open = new Map<number, Open>();
  #last = 0;

  /** The texts of those that answered, in the order of the workers. */
  async collect(workers: readonly Worker[]): Promise<readonly string[]> {
    const id = ++this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    const open: Open = { waiting: new Set(workers.map((worker) => worker.id)), texts: new Map(), done: resolve };
    this.#open.set(id, open);
    for (const worker of workers) if (worker.isConnected()) worker.send({ kind: 'scrape', id } satisfies ToWorker);
    const timer = setTimeout(resolve, MAX_MS);
    if (workers.length > 0) await promise;
    clearTimeout(timer);
    this.#open.delete(id);
    return workers.flatMap((worker) => open.texts.get(worker.id) ?? []);
  }

  onMessage(id: number, worker: number, text: string): void {
    this.#open.get(id)?.texts.set(worker, text);
    this.#heard(id, worker);
  }

  /** The worker has ended: nobody waits for it any more. */
  forget(worker: number): void {
    for (const id of this.#open.keys()) this.#heard(id, worker);
  }

  #heard(id: number, worker: number): void {
    const open = this.#open.get(id);
    open?.waiting.delete(worker);
    if (open?.waiting.size === 0) open.done();
  }
}

/** Set in worker processes; `first` in the one that prints the banner. */
const WORKER_VARIABLE = 'MODELGATE_WORKER';
/** Where the supervisor serves the metrics of all workers. */
const METRICS_VARIABLE = 'MODELGATE_WORKER_METRICS';

type FromWorker =
  | { readonly kind: 'ready' }
  /** An operator has reloaded the configuration of this worker; the others must follow. */
  | { readonly kind: 'reloaded' }
  | { readonly kind: 'metrics'; readonly id: number; readonly text: string }
  /** Where there is no Redis, the supervisor counts the limits. */
  | { readonly kind: 'limits'; readonly question: Question };

type ToWorker = { readonly kind: 'scrape'; readonly id: number } | { readonly kind: 'limits'; readonly reply: Reply };

/** Both ends run the same program, but another one may have opened the channel. */
const isMessage = (value: unknown): value is { readonly kind: string } =>
  typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string';

/** Why several processes cannot serve this configuration; null when they can. */
export function workersProblem({ tape }: Pick<Config, 'tape'>): string | null {
  return tape === null ? null : 'Recording and replaying require a single process. Omit --workers.';
}
