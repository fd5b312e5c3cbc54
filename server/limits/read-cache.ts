/** Caches what Redis last reported of each rate: a caller who was far below the limits a moment ago passes authentication without another look-up. */
import { isAsked, type Limit, type Take, type Windows } from './limiter.ts';
import { isTold, type Told, windowsOf } from './redis/script-steps.ts';

/** The bucket of a limit, as Redis reported it. */
interface Said {
  level: number;
  pending: number;
  /** By the clock of this process, in whole milliseconds. */
  at: number;
}

/** Buckets count in units of 1/60000. */
const ONE = 60_000;

const now = (): number => Math.floor(performance.now());

export class Lately {
  readonly #trustMs: number;
  readonly #said = new WeakMap<Limit, Said>();

  /** For how long it is valid; 0: never. */
  constructor(trustMs: number) {
    this.#trustMs = trustMs;
  }

  note(told: readonly Told[]): void {
    if (this.#trustMs === 0) return;
    const at = now();
    for (const { limit, level, pending } of told) {
      const said = this.#said.get(limit);
      if (said) Object.assign(said, { level, pending, at });
      else this.#said.set(limit, { level, pending, at });
    }
  }

  /**
   * The windows to report when the cached data admits the call; null when Redis must be asked. Only for a take that a second one replaces: Redis
   * then counts exactly, and the cache only decides whether a body is read before a refusal.
   */
  trust(take: Take): Windows | null {
    const at = now();
    const told: Told[] = [];
    const entered: Said[] = [];
    for (const limit of take.limits) {
      const isEntered = isAsked(take, limit);
      if (!isEntered && !isTold(limit)) continue;
      const said = this.#said.get(limit);
      if (!said || at - said.at > this.#trustMs) return null;
      const level = Math.max(said.level - (at - said.at) * limit.most, 0);
      const pending = said.pending + (isEntered ? 1 : 0);
      // Other calls may take part of the free room in the meantime.
      if (isEntered && level + pending * ONE > (limit.most * ONE) / 2) return null;
      if (isEntered) entered.push(said);
      told.push({ limit, level, pending });
    }
    // Until Redis reports again, this process adds the calls that it has admitted.
    for (const said of entered) said.pending++;
    return windowsOf(told);
  }
}
