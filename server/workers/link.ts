/** A worker's side of the channel to its supervisor. */
import { type FromWorker, isMessage, METRICS_VARIABLE, type ToWorker, WORKER_VARIABLE } from './messages.ts';

export interface WorkerLink {
  /** Whether this worker prints the banner: the first of the first start. */
  readonly isFirst: boolean;
  /** Where the supervisor serves the metrics of all workers; undefined when they are off. */
  readonly metricsOrigin: string | undefined;
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
    answerScrapes(scrape) {
      process.on('message', (message: unknown) => {
        if (!isScrape(message)) return;
        const { id } = message;
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

const isScrape = (message: unknown): message is ToWorker => isMessage(message) && message.kind === 'scrape';
