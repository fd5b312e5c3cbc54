/** Tracks since when each model of an upstream has been unavailable, as this process sees it. */
import type { HealthObservation } from './store.ts';

/** State of a model at an upstream. */
export interface WatchedModel {
  readonly upstream: string;
  readonly upstreamModel: string;
  readonly state: 'closed' | 'open' | 'half_open';
  /** Milliseconds until the next attempt. */
  readonly restMs: number;
}

export class OutageTracker {
  readonly #getModels: () => readonly WatchedModel[];
  readonly #since = new Map<string, number>();

  constructor(getModels: () => readonly WatchedModel[]) {
    this.#getModels = getModels;
  }

  /** Called every few seconds. An outage starts when it's first observed, and ends when it's no longer observed. */
  observe(now: number): readonly HealthObservation[] {
    const unavailableModels = Map.groupBy(
      this.#getModels().filter(({ state, restMs }) => state !== 'closed' || restMs > 0),
      ({ upstream }) => upstream,
    );
    for (const known of this.#since.keys()) if (!unavailableModels.has(known)) this.#since.delete(known);
    return [...unavailableModels].map(([subject, places]) => {
      const since = this.#since.get(subject) ?? now;
      this.#since.set(subject, since);
      return { subject, since, detail: formatDetail(places) };
    });
  }
}

const MAX_NAMED_MODELS = 5;

/** Omits numbers that change every second, so that the text stays stable. */
function formatDetail(models: readonly WatchedModel[]): string {
  const hasFailed = models.some(({ state }) => state !== 'closed');
  const names = models.slice(0, MAX_NAMED_MODELS).map(({ upstreamModel }) => upstreamModel);
  const suffix = models.length > MAX_NAMED_MODELS ? ` and ${models.length - MAX_NAMED_MODELS} more` : '';
  return `${names.join(', ')}${suffix} ${hasFailed ? 'failed several times in a row' : `${models.length === 1 ? 'was' : 'were'} rate limited`}`;
}
