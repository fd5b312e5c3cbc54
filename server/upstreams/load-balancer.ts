/** In which order the candidates of a call are asked: by priority, then by weight; a session keeps to its place, so that its vendor's cache hits. */
import { createHash } from 'node:crypto';

export interface Destination {
  readonly upstream: string;
  readonly upstreamModel: string;
  /** 1 is asked first. */
  readonly priority: number;
  /** Share of the calls among those of one priority. */
  readonly weight: number;
}

/** `session`: calls of the same one have the same order, and as many sessions begin at each place as its weight says. Null: drawn anew each time. */
export function inOrder<P extends Destination>(places: readonly P[], session: string | null): readonly P[] {
  if (places.length < 2) return places;
  const ranked = places.map((place) => ({ place, rank: rankOf(place, session) }));
  return ranked.toSorted((a, b) => a.place.priority - b.place.priority || a.rank - b.rank).map(({ place }) => place);
}

/** The smallest of these draws falls on each place as often as its weight says (weighted rendezvous hashing). */
function rankOf({ upstream, upstreamModel, weight }: Destination, session: string | null): number {
  const draw = session === null ? Math.random() : drawFor(`${session}\n${upstream}\n${upstreamModel}`);
  return -Math.log(draw) / weight;
}

/** Evenly between 0 and 1, both left out. */
function drawFor(text: string): number {
  const bits = createHash('sha256').update(text).digest().readUIntBE(0, 6);
  return (bits + 0.5) / 2 ** 48;
}
