/** Which upstreams rest in this process, and since when: the breakers know only how they are now. */
import type { Sighting } from './store.ts';

/** A model at an upstream that was called. */
export interface WatchedPlace {
  readonly upstream: string;
  readonly upstreamModel: string;
  readonly state: 'closed' | 'open' | 'half_open';
  /** Milliseconds until it is tried again. */
  readonly restMs: number;
}

export class Sightings {
  readonly #places: () => readonly WatchedPlace[];
  readonly #since = new Map<string, number>();

  constructor(places: () => readonly WatchedPlace[]) {
    this.#places = places;
  }

  /** To be asked every few seconds: a rest begins when it is first seen, and ends when it is not. */
  look(now: number): readonly Sighting[] {
    const resting = Map.groupBy(
      this.#places().filter(({ state, restMs }) => state !== 'closed' || restMs > 0),
      ({ upstream }) => upstream,
    );
    for (const known of this.#since.keys()) if (!resting.has(known)) this.#since.delete(known);
    return [...resting].map(([subject, places]) => {
      const since = this.#since.get(subject) ?? now;
      this.#since.set(subject, since);
      return { subject, since, detail: detailOf(places) };
    });
  }
}

const MOST_NAMED = 5;

/** Without numbers that change each second. */
function detailOf(places: readonly WatchedPlace[]): string {
  const hasFailed = places.some(({ state }) => state !== 'closed');
  const names = places.slice(0, MOST_NAMED).map(({ upstreamModel }) => upstreamModel);
  const others = places.length > MOST_NAMED ? ` and ${places.length - MOST_NAMED} more` : '';
  return `${names.join(', ')}${others} ${hasFailed ? 'failed several times in a row' : 'asked for a pause'}`;
}
