/** What the supervisor and its workers tell each other, and the variables by which a worker knows that it is one. */
import type { Question, Reply } from '../limits/asked/messages.ts';

/** `first`: the one that prints the banner. Absent in a process that is no worker. */
export const WORKER_VARIABLE = 'MODELGATE_WORKER';
/** Where the supervisor serves the metrics of all workers. */
export const METRICS_VARIABLE = 'MODELGATE_WORKER_METRICS';

export type FromWorker =
  | { readonly kind: 'ready' }
  /** An operator has reloaded the configuration of this worker; the others must follow. */
  | { readonly kind: 'reloaded' }
  | { readonly kind: 'metrics'; readonly id: number; readonly text: string }
  /** Where there is no Redis, the supervisor counts the limits. */
  | { readonly kind: 'limits'; readonly question: Question };

export type ToWorker = { readonly kind: 'scrape'; readonly id: number } | { readonly kind: 'limits'; readonly reply: Reply };

/** Both ends run the same program, but another one may have opened the channel. */
export const isMessage = (value: unknown): value is { readonly kind: string } =>
  typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string';
