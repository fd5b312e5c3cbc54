/** Several keys at one vendor: a session keeps to its key, and one that the vendor refuses rests while the others go on. */
import { type CallName, type ErrorOf, GatewayError } from '../errors.ts';
import { inOrder } from './load-balancer.ts';

export interface Credential {
  /** The header lines that carry it: names and values in turn. */
  readonly lines: readonly string[];
  /** What the vendor answered to a request with it for a model. */
  note(status: number, retryAfterSeconds: number | null, model: string): void;
}

export interface Credentials {
  /** Throws `rate_limit_exceeded` while all of several rest for this model, and `no_upstream_available` where the vendor wants none of them, whatever they ask (F59). */
  pick(session: () => string | null, model: string): Credential;
  /** Whether another one may do for this model where one was refused. */
  hasReady(model: string): boolean;
}

/** Refused for its own sake: revoked, out of money, not let at the model. */
const REFUSED_MS = 300_000;
const BUSY_MS = 10_000;
const LONGEST_MS = 600_000;

export function openCredentials(lines: readonly (readonly string[])[], now: () => number = () => performance.now()): Credentials {
  const [first = [], ...others] = lines;
  if (others.length === 0) return { pick: () => ({ lines: first, note: () => {} }), hasReady: () => false };
  const all = lines.map((each, index) => new Resting(each, String(index), now));
  const ready = (model: string): readonly Resting[] => all.filter((one) => one.restMs(model) === 0);
  return {
    pick(session, model) {
      const [one] = inOrder(ready(model), session());
      if (one) return one;
      const [forbidden] = inOrder(
        all.filter((key) => key.isForbiddenAlone(model)),
        session(),
      );
      if (!forbidden) throw allRest(all, model);
      return forbidden;
    },
    hasReady: (model) => ready(model).length > 0,
  };
}

interface Rest {
  readonly until: number;
  /** Whether it rests for its own sake. */
  readonly isRefused: boolean;
  readonly isForbidden: boolean;
}

const awake: Rest = { until: 0, isRefused: false, isForbidden: false };

class Resting implements Credential {
  readonly lines: readonly string[];
  /** As a place among others: all keys of an upstream have the same share. */
  readonly upstream = 'key';
  readonly upstreamModel: string;
  readonly priority = 1;
  readonly weight = 1;
  readonly #now: () => number;
  /** For every model. */
  #rest: Rest = awake;
  /** Those of the configuration alone are ever asked for, so it stays small. */
  readonly #byModel = new Map<string, Rest>();

  constructor(lines: readonly string[], name: string, now: () => number) {
    this.lines = lines;
    this.upstreamModel = name;
    this.#now = now;
  }

  restMs(model: string): number {
    return Math.max(Math.ceil(this.#longest(model).until - this.#now()), 0);
  }

  /** Whether it rests for nothing but a 403: some vendors mean one request by that, so it is asked all the same where no other is left. */
  isForbiddenAlone(model: string): boolean {
    const { until, isForbidden } = this.#byModel.get(model) ?? awake;
    return isForbidden && until > this.#now() && this.#rest.until <= this.#now();
  }

  isRefused(model: string): boolean {
    return this.#longest(model).isRefused;
  }

  note(status: number, retryAfterSeconds: number | null, model: string): void {
    const restMs = status === 429 ? (retryAfterSeconds ?? BUSY_MS / 1_000) * 1_000 : isRefusal(status) ? REFUSED_MS : 0;
    if (restMs <= 0) return;
    const rest = { until: this.#now() + Math.min(restMs, LONGEST_MS), isRefused: isRefusal(status), isForbidden: status === 403 };
    // Only ever longer.
    if (isAboutAll(status)) this.#rest = later(this.#rest, rest);
    else this.#byModel.set(model, later(this.#byModel.get(model) ?? awake, rest));
  }

  #longest(model: string): Rest {
    return later(this.#rest, this.#byModel.get(model) ?? awake);
  }
}

const later = (one: Rest, other: Rest): Rest => (other.until > one.until ? other : one);

/** Statuses that are about the key, and not about the request. */
export const isAboutKey = (status: number | null): boolean => status !== null && (status === 429 || isRefusal(status));
const isRefusal = (status: number): boolean => status === 401 || status === 402 || status === 403;
/** A key that is wrong or out of money is so for every model; what it may not use, and what it has used up, vendors count by model. */
const isAboutAll = (status: number): boolean => status === 401 || status === 402;

function allRest(all: readonly Resting[], model: string): ErrorOf<CallName, 429 | 503> {
  const forMs = Math.min(...all.map((one) => one.restMs(model)));
  const headers = { 'retry-after': String(Math.max(Math.ceil(forMs / 1_000), 1)), 'retry-after-ms': String(Math.max(forMs, 1)) };
  // Nothing that a caller does less of would help.
  if (all.every((one) => one.isRefused(model)))
    return new GatewayError('no_upstream_available', { headers, cause: new Error('the vendor refused every key of the upstream') });
  return new GatewayError('rate_limit_exceeded', { message: 'The upstream of this model takes no more requests at the moment.', headers });
}
