/** The link of a worker to its supervisor: the messages between them. */
import type { LimitsChannel, LimitsRequest, LimitsResponse } from '../limits/remote-limits.ts';

export interface WorkerLink {
  /** Whether this worker prints the banner. Only the first worker does. */
  readonly isFirst: boolean;
  /** Where the supervisor serves the metrics of all workers. Undefined if they're off. */
  readonly metricsOrigin: string | undefined;
  /** Channel to the limits that the supervisor counts. */
  readonly limits: LimitsChannel;
  /** Reports to the supervisor that this worker is listening. */
  ready(): void;
  /** Reports that an operator reloaded the configuration of this worker. */
  reloaded(): void;
  /** Responds to the supervisor when it collects the metrics. */
  answerScrapes(scrape: () => Promise<string>): void;
  /** Calls the listener when the supervisor has died, because the worker must then stop. */
  onOrphaned(listener: () => void): void;
}

/** Null in a process that no supervisor started. */
export function openWorkerLink(env: Readonly<Record<string, string | undefined>>): WorkerLink | null {
  const role = env[WORKER_VARIABLE];
  if (role === undefined || process.send === undefined) return null;
  const send = (message: FromWorker): void => {
    // If the supervisor is gone, the `disconnect` event reports it.
    if (process.connected) process.send?.(message);
  };
  return {
    isFirst: role === 'first',
    metricsOrigin: env[METRICS_VARIABLE],
    ready: () => send({ kind: 'ready' }),
    reloaded: () => send({ kind: 'reloaded' }),
    limits: {
      ask: (question) => send({ kind: 'limits', question }),
      onReply: (listener) => onMessage('limits', ({ reply }) => listener(reply)),
    },
    answerScrapes(scrape) {
      onMessage('scrape', ({ id }) => {
        // If a worker can't collect its metrics, the other workers' metrics are still served.
        void scrape().then(
          (text) => send({ kind: 'metrics', id, text }),
          () => send({ kind: 'metrics', id, text: '' }),
        );
      });
    },
    onOrphaned: (listener) => void process.on('disconnect', listener),
  };
}

type WorkerMessage<K extends ToWorker['kind']> = Extract<ToWorker, { readonly kind: K }>;

function onMessage<K extends ToWorker['kind']>(kind: K, listener: (message: WorkerMessage<K>) => void): void {
  process.on('message', (message: unknown) => {
    // `as`: the supervisor runs the same program.
    if (isMessage(message) && message.kind === kind) listener(message as WorkerMessage<K>);
  });
}

/** Set in worker processes. `first` in the worker that prints the banner. */
export const WORKER_VARIABLE = 'MODELGATE_WORKER';

/** Where the supervisor serves the metrics of all workers. */
export const METRICS_VARIABLE = 'MODELGATE_WORKER_METRICS';

export type FromWorker =
  | { readonly kind: 'ready' }
  /** An operator reloaded the configuration of this worker, so the others must reload, too. */
  | { readonly kind: 'reloaded' }
  | { readonly kind: 'metrics'; readonly id: number; readonly text: string }
  /** Without Redis, the supervisor counts the limits. */
  | { readonly kind: 'limits'; readonly question: LimitsRequest };

export type ToWorker = { readonly kind: 'scrape'; readonly id: number } | { readonly kind: 'limits'; readonly reply: LimitsResponse };

/** Both ends run the same program, but another program may have opened the channel. */
export const isMessage = (value: unknown): value is { readonly kind: string } =>
  typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string';
