/** Several keys at one vendor: a session keeps to its key, and one that the vendor refuses rests while the others go on. */
import { GatewayError } from '../errors.ts';
import { inOrder } from './choose.ts';

export interface Credential {
  /** The header lines that carry it: names and values in turn. */
  readonly lines: readonly string[];
  /** What the vendor answered to a request with it. */
  note(status: number, retryAfterSeconds: number | null): void;
}

export interface Credentials {
  /** Throws `rate_limit_exceeded` while all of several rest, and `no_upstream_available` where the vendor wants none of them (F59). */
  pick(session: () => string | null): Credential;
  /** Whether another one may do where one was refused. */
  readonly hasReady: boolean;
}

/** Refused for its own sake: revoked, out of money. */
const REFUSED_MS = 300_000;
const BUSY_MS = 10_000;
const LONGEST_MS = 600_000;

export function openCredentials(lines: readonly (readonly string[])[], now: () => number = () => performance.now()): Credentials {
  const [first = [], ...others] = lines;
  if (others.length === 0) return { pick: () => ({ lines: first, note: () => {} }), hasReady: false };
  const all = lines.map((each, index) => new Resting(each, String(index), now));
  const ready = (): readonly Resting[] => all.filter(({ restMs }) => restMs === 0);
  return {
    pick(session) {
      const [one] = inOrder(ready(), session());
      if (!one) throw allRest(all);
      return one;
    },
    get hasReady() {
      return ready().length > 0;
    },
  };
}

class Resting implements Credential {
  readonly lines: readonly string[];
  /** As a place among others: all keys of an upstream have the same share. */
  readonly upstream = 'key';
  readonly upstreamModel: string;
  readonly priority = 1;
  readonly weight = 1;
  readonly #now: () => number;
  #until = 0;
  /** Whether it rests for its own sake. */
  isRefused = false;

  constructor(lines: readonly string[], name: string, now: () => number) {
    this.lines = lines;
    this.upstreamModel = name;
    this.#now = now;
  }

  get restMs(): number {
    return Math.max(Math.ceil(this.#until - this.#now()), 0);
  }

  note(status: number, retryAfterSeconds: number | null): void {
    const restMs = status === 429 ? (retryAfterSeconds ?? BUSY_MS / 1_000) * 1_000 : isRefusal(status) ? REFUSED_MS : 0;
    // Only ever longer.
    this.isRefused = isRefusal(status);
    this.#until = Math.max(this.#until, restMs > 0 ? this.#now() + Math.min(restMs, LONGEST_MS) : 0);
  }
}

/** Statuses that are about the key, and not about the request. */
export const isAboutKey = (status: number | null): boolean => status !== null && (status === 429 || isRefusal(status));
const isRefusal = (status: number): boolean => status === 401 || status === 402 || status === 403;

function allRest(all: readonly Resting[]): GatewayError {
  const forMs = Math.min(...all.map(({ restMs }) => restMs));
  const headers = { 'retry-after': String(Math.max(Math.ceil(forMs / 1_000), 1)), 'retry-after-ms': String(Math.max(forMs, 1)) };
  // Nothing that a caller does less of would help.
  if (all.every(({ isRefused }) => isRefused))
    return new GatewayError('no_upstream_available', { headers, cause: new Error('the vendor refused every key of the upstream') });
  return new GatewayError('rate_limit_exceeded', { message: 'The upstream of this model takes no more requests at the moment.', headers });
}
