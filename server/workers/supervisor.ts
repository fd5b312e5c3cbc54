/** The supervisor of `serve --workers`: starts the workers on one port, replaces those that end, and passes signals on. */
import cluster, { type Worker } from 'node:cluster';
import { LimitCounter } from '../limits/asked/counter.ts';
import type { Log } from '../telemetry/log.ts';
import { mergeMetrics } from './merge-metrics.ts';
import { type FromWorker, isMessage, METRICS_VARIABLE, type ToWorker, WORKER_VARIABLE } from './messages.ts';
import { Scrapes } from './scrapes.ts';

export interface SupervisorParts {
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
const LONGEST_PAUSE_MS = 30_000;

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
    cluster.on('message', (worker, message: unknown) => this.#hear(worker, message));
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

  /** Replaces one worker after the other: a new program is in place without a refused call. */
  async roll(): Promise<void> {
    if (this.#isRolling || this.#isStopping) return;
    this.#isRolling = true;
    this.#parts.log.info({ workers: this.#running.size }, 'the workers are replaced one after the other');
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

  #hear(worker: Worker, message: unknown): void {
    const one = this.#running.get(worker.id);
    if (!one || !isMessage(message)) return;
    // `as`: workers run the same program.
    const told = message as FromWorker;
    if (told.kind === 'metrics') this.#scrapes.hear(told.id, worker.id, told.text);
    else if (told.kind === 'limits') {
      const reply = this.#limits.answer(worker.id, told.question);
      if (worker.isConnected()) worker.send({ kind: 'limits', reply } satisfies ToWorker);
    } else if (told.kind === 'reloaded') this.reload(worker.id);
    else if (told.kind === 'ready') {
      one.isReady = true;
      one.heard.resolve(true);
      if (one.mustReload) worker.process.kill('SIGHUP');
      this.#parts.log.info({ pid: worker.process.pid, workers: this.#running.size }, 'a worker listens');
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
      this.#parts.log.error({ pid: one.worker.process.pid, ...end, workers: this.#running.size }, 'a worker has ended and is replaced');
      this.#replace(one);
    }
  }

  #replace({ startedAt }: Running): void {
    const isSound = performance.now() - startedAt > SOUND_MS;
    this.#pauseMs = isSound ? FIRST_PAUSE_MS : Math.min(2 * this.#pauseMs, LONGEST_PAUSE_MS);
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
