/** Orders the destinations of a call for load balancing, by priority and weight. */
import { createHash } from 'node:crypto';

export interface Destination {
  readonly upstream: string;
  readonly upstreamModel: string;
  /** 1 is tried first. */
  readonly priority: number;
  /** The share of calls among destinations of the same priority. */
  readonly weight: number;
}
/** `session`: calls with the same value get the same order, and sessions are spread by weight. If it's null, the order is random for each call. */
export function orderForLoadBalancing<P extends Destination>(destinations: readonly P[], session: string | null): readonly P[] {
  if (destinations.length < 2) return destinations;
  const rankedDestinations = destinations.map((place) => ({ place, rank: computeRank(place, session) }));
  return rankedDestinations.toSorted((a, b) => a.place.priority - b.place.priority || a.rank - b.rank).map(({ place }) => place);
}
/** A destination gets the smallest rank with a probability proportional to its weight (weighted rendezvous hashing). */
function computeRank({ upstream, upstreamModel, weight }: Destination, session: string | null): number {
  const uniform = session === null ? Math.random() : hashToUnit(`${session}\n${upstream}\n${upstreamModel}`);
  return -Math.log(uniform) / weight;
}
/** Uniform between 0 and 1, both exclusive. */
function hashToUnit(text: string): number {
  const bits = createHash('sha256').update(text).digest().readUIntBE(0, 6);
  return (bits + 0.5) / 2 ** 48;
}
