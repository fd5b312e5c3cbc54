/** The order in which the candidates of a call are tried: by priority, then by weight. A session keeps its destination, so that the vendor's cache hits. */
import { createHash } from 'node:crypto';

export interface Destination {
  readonly upstream: string;
  readonly upstreamModel: string;
  /** 1 is tried first. */
  readonly priority: number;
  /** Its share of the calls among destinations of the same priority. */
  readonly weight: number;
}

/** `session`: calls with the same value get the same order; sessions are spread by weight. Null: the order is random for each call. */
export function inOrder<P extends Destination>(places: readonly P[], session: string | null): readonly P[] {
  if (places.length < 2) return places;
  const ranked = places.map((place) => ({ place, rank: rankOf(place, session) }));
  return ranked.toSorted((a, b) => a.place.priority - b.place.priority || a.rank - b.rank).map(({ place }) => place);
}

/** Each destination has the smallest rank with a probability in proportion to its weight (weighted rendezvous hashing). */
function rankOf({ upstream, upstreamModel, weight }: Destination, session: string | null): number {
  const draw = session === null ? Math.random() : drawFor(`${session}\n${upstream}\n${upstreamModel}`);
  return -Math.log(draw) / weight;
}

/** Uniform between 0 and 1, both exclusive. */
function drawFor(text: string): number {
  const bits = createHash('sha256').update(text).digest().readUIntBE(0, 6);
  return (bits + 0.5) / 2 ** 48;
}
