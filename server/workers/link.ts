/** A worker's side of the channel to its supervisor. */
import type { LimitsChannel } from '../limits/asked/messages.ts';
import { type FromWorker, isMessage, METRICS_VARIABLE, type ToWorker, WORKER_VARIABLE } from './messages.ts';

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
  const tell = (message: FromWorker): void => {
    // The supervisor may be gone; then `disconnect` says so.
    if (process.connected) process.send?.(message);
  };
  return {
    isFirst: place === 'first',
    metricsOrigin: env[METRICS_VARIABLE],
    ready: () => tell({ kind: 'ready' }),
    reloaded: () => tell({ kind: 'reloaded' }),
    limits: {
      ask: (question) => tell({ kind: 'limits', question }),
      onReply: (listener) => hear('limits', ({ reply }) => listener(reply)),
    },
    answerScrapes(scrape) {
      hear('scrape', ({ id }) => {
        // A worker that cannot tell its own leaves the others as they are; its log says why.
        void scrape().then(
          (text) => tell({ kind: 'metrics', id, text }),
          () => tell({ kind: 'metrics', id, text: '' }),
        );
      });
    },
    onOrphaned: (listener) => void process.on('disconnect', listener),
  };
}

type Told<K extends ToWorker['kind']> = Extract<ToWorker, { readonly kind: K }>;

function hear<K extends ToWorker['kind']>(kind: K, listener: (message: Told<K>) => void): void {
  process.on('message', (message: unknown) => {
    // `as`: the supervisor runs the same program.
    if (isMessage(message) && message.kind === kind) listener(message as Told<K>);
  });
}
