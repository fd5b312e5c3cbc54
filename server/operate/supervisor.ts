/** The supervisor of `serve --workers`: starts the workers on one port, replaces those that end, and forwards signals. */

import cluster, { type Worker } from 'node:cluster';
import type { Config } from '../config/config.ts';
import { LimitCounter } from '../limits/remote-limits.ts';
import type { Log } from '../telemetry/log.ts';
import { mergeMetrics } from './merge-metrics.ts';
import { type FromWorker, isMessage, METRICS_VARIABLE, type ToWorker, WORKER_VARIABLE } from './worker-link.ts';

interface SupervisorOptions {
  /** Number of workers. */
  readonly count: number;
  readonly log: Log;
  /** The program and its arguments, as this process was started. */
  readonly program: string;
  readonly words: readonly string[];
  /** Undefined if metrics are off. */
  readonly metricsOrigin: string | undefined;
}

/** If a worker exits sooner than this after its start, the pause before its replacement grows each time. */
const STABLE_UPTIME_MS = 60_000;
const INITIAL_RESTART_DELAY_MS = 500;
const MAX_RESTART_DELAY_MS = 30_000;

interface RunningWorker {
  readonly worker: Worker;
  readonly startedAt: number;
  isReady: boolean;
  /** Whether a reload was requested before the worker was ready, so that it may have read the previous file. */
  mustReload: boolean;
  /** Whether the worker was asked to stop or is being replaced, so that its exit isn't a failure. */
  isLeaving: boolean;
  /** Resolves with true when the worker is ready, or with false if it exits first. */
  readonly answered: PromiseWithResolvers<boolean>;
}

export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #workers = new Map<number, RunningWorker>();
  readonly #scrapes = new ScrapeCollector();
  readonly #limits = new LimitCounter();
  readonly #exit = Promise.withResolvers<number>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #restartDelayMs = INITIAL_RESTART_DELAY_MS;
  #isStopping = false;
  #isRolling = false;
  #exitCode = 0;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    const { program, words } = options;
    // Workers accept connections themselves. If the supervisor passed connections on, one on its way to a worker that
    // dies would never be answered or closed.
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    cluster.setupPrimary({ exec: program, args: [...words] });
    cluster.on('message', (worker, message: unknown) => this.#onMessage(worker, message));
    cluster.on('exit', (worker, code, signal) => this.#onExit(worker, code ?? 1, signal));
  }

  /** Starts the first worker, which prepares the stores, and then the others. Resolves with the exit code when all have exited. */
  async run(): Promise<number> {
    const firstWorker = this.#start('first');
    if (await firstWorker.answered.promise) for (let at = 1; at < this.#options.count && !this.#isStopping; at++) this.#start('next');
    return await this.#exit.promise;
  }

  /** The first call stops the workers gracefully, the second immediately. */
  stop(): void {
    this.#isStopping = true;
    for (const timer of this.#timers) clearTimeout(timer);
    for (const one of this.#workers.values()) one.worker.process.kill('SIGTERM');
    this.#endIfEmpty();
  }

  /**
   * Makes all workers reload the configuration. A worker that is starting reloads when it's ready, because before
   * that, the signal could end it.
   */
  reload(except?: number): void {
    for (const [id, one] of this.#workers) {
      if (id === except) continue;
      if (one.isReady) one.worker.process.kill('SIGHUP');
      else one.mustReload = true;
    }
  }

  /** Replaces the workers one by one, so that a new program version is in place without rejected calls. */
  async roll(): Promise<void> {
    if (this.#isRolling || this.#isStopping) return;
    this.#isRolling = true;
    this.#options.log.info({ workers: this.#workers.size }, 'replacing the workers one by one');
    for (const oldWorker of [...this.#workers.values()]) {
      const isReady = await this.#start('next').answered.promise;
      if (!isReady || this.#isStopping) break;
      oldWorker.isLeaving = true;
      oldWorker.worker.process.kill('SIGTERM');
    }
    this.#isRolling = false;
  }

  /** Returns the metrics of all workers as one text. */
  async scrape(): Promise<string> {
    const workers = [...this.#workers.values()].filter(({ isReady }) => isReady).map(({ worker }) => worker);
    return mergeMetrics(await this.#scrapes.collect(workers));
  }

  #start(role: 'first' | 'next'): RunningWorker {
    const { metricsOrigin } = this.#options;
    const env = { [WORKER_VARIABLE]: role, ...(metricsOrigin !== undefined && { [METRICS_VARIABLE]: metricsOrigin }) };
    const worker = cluster.fork(env);
    const runningWorker: RunningWorker = {
      worker,
      startedAt: performance.now(),
      isReady: false,
      mustReload: false,
      isLeaving: false,
      answered: Promise.withResolvers(),
    };
    this.#workers.set(worker.id, runningWorker);
    return runningWorker;
  }

  #onMessage(worker: Worker, message: unknown): void {
    const runningWorker = this.#workers.get(worker.id);
    if (!runningWorker || !isMessage(message)) return;
    // `as`: workers run the same program.
    const report = message as FromWorker;
    if (report.kind === 'metrics') this.#scrapes.onMessage(report.id, worker.id, report.text);
    else if (report.kind === 'limits') {
      const reply = this.#limits.handle(worker.id, report.question);
      if (worker.isConnected()) worker.send({ kind: 'limits', reply } satisfies ToWorker);
    } else if (report.kind === 'reloaded') this.reload(worker.id);
    else if (report.kind === 'ready') {
      runningWorker.isReady = true;
      runningWorker.answered.resolve(true);
      if (runningWorker.mustReload) worker.process.kill('SIGHUP');
      this.#options.log.info({ pid: worker.process.pid, workers: this.#workers.size }, 'worker started');
    }
  }

  #onExit(worker: Worker, code: number, signal: string | null): void {
    const runningWorker = this.#workers.get(worker.id);
    if (!runningWorker) return;
    this.#workers.delete(worker.id);
    this.#scrapes.forget(worker.id);
    this.#limits.forget(worker.id);
    runningWorker.answered.resolve(false);
    if (this.#isStopping) {
      this.#exitCode = Math.max(this.#exitCode, code);
      this.#endIfEmpty();
    } else if (!runningWorker.isLeaving) this.#onFailure(runningWorker, { code, signal });
  }

  #onFailure(runningWorker: RunningWorker, end: { readonly code: number; readonly signal: string | null }): void {
    const isFirstStart = !runningWorker.isReady && this.#workers.size === 0 && this.#restartDelayMs === INITIAL_RESTART_DELAY_MS;
    // If the first worker can't start, it has printed the reason, and a replacement would fail, too.
    if (isFirstStart) this.#exit.resolve(Math.max(end.code, 1));
    else {
      this.#options.log.error(
        { pid: runningWorker.worker.process.pid, ...end, workers: this.#workers.size },
        'worker exited; replacing it',
      );
      this.#scheduleReplacement(runningWorker);
    }
  }

  #scheduleReplacement({ startedAt }: RunningWorker): void {
    const wasStable = performance.now() - startedAt > STABLE_UPTIME_MS;
    this.#restartDelayMs = wasStable ? INITIAL_RESTART_DELAY_MS : Math.min(2 * this.#restartDelayMs, MAX_RESTART_DELAY_MS);
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer);
        this.#start('next');
      },
      wasStable ? 0 : this.#restartDelayMs / 2,
    );
    this.#timers.add(timer);
  }

  #endIfEmpty(): void {
    if (this.#isStopping && this.#workers.size === 0) this.#exit.resolve(this.#exitCode);
  }
}

/** Maximum time for workers to respond. Prometheus itself waits ten seconds. */
const SCRAPE_TIMEOUT_MS = 4_000;

interface OpenScrape {
  readonly waiting: Set<number>;
  readonly texts: Map<number, string>;
  done(): void;
}

class ScrapeCollector {
  readonly #pending = new Map<number, OpenScrape>();
  #lastId = 0;

  /** Returns the texts of the workers that responded, in the order of the workers. */
  async collect(workers: readonly Worker[]): Promise<readonly string[]> {
    const id = ++this.#lastId;
    const { promise, resolve } = Promise.withResolvers<void>();
    const scrape: OpenScrape = { waiting: new Set(workers.map((worker) => worker.id)), texts: new Map(), done: resolve };
    this.#pending.set(id, scrape);
    for (const worker of workers) if (worker.isConnected()) worker.send({ kind: 'scrape', id } satisfies ToWorker);
    const timer = setTimeout(resolve, SCRAPE_TIMEOUT_MS);
    if (workers.length > 0) await promise;
    clearTimeout(timer);
    this.#pending.delete(id);
    return workers.flatMap((worker) => scrape.texts.get(worker.id) ?? []);
  }

  onMessage(id: number, worker: number, text: string): void {
    this.#pending.get(id)?.texts.set(worker, text);
    this.#onResponse(id, worker);
  }

  /** Stops waiting for a worker that has exited. */
  forget(worker: number): void {
    for (const id of this.#pending.keys()) this.#onResponse(id, worker);
  }

  #onResponse(id: number, worker: number): void {
    const scrape = this.#pending.get(id);
    scrape?.waiting.delete(worker);
    if (scrape?.waiting.size === 0) scrape.done();
  }
}

/** Returns why several processes can't serve this configuration, or null if they can. */
export function findWorkersProblem({ tape }: Pick<Config, 'tape'>): string | null {
  return tape === null ? null : 'Recording and replaying require a single process. Omit --workers.';
}
