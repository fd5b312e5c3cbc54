/** Credential pool: several keys at one vendor. A session keeps its key; a key that the vendor refuses is not used for a while. */
import { type CallName, type ErrorOf, GatewayError } from '../errors.ts';
import { inOrder } from './load-balancer.ts';
import type { KeyState } from './upstream.ts';

export interface Credential {
  /** Its headers: names and values, alternating. */
  readonly lines: readonly string[];
  /** Takes the status of an answer to a request with this key, for a model. */
  note(status: number, retryAfterSeconds: number | null, model: string): void;
}

export interface Credentials {
  /** With several keys, throws `rate_limit_exceeded` when none may be used for this model now, or `no_upstream_available` when the vendor has refused them all (F59). */
  pick(session: () => string | null, model: string): Credential;
  /** Whether there are several keys, and one may be used for this model now. */
  hasReady(model: string): boolean;
  /** In the order of the configuration. */
  states(): readonly KeyState[];
  /** Ends all rests; how many keys rested. */
  wake(): number;
}

/** How long a refused key is not used: it is revoked, out of credit, or not allowed to use the model. */
const REFUSED_MS = 300_000;
const BUSY_MS = 10_000;
const LONGEST_MS = 600_000;

export function openCredentials(lines: readonly (readonly string[])[], now: () => number = () => performance.now()): Credentials {
  const [first = [], ...others] = lines;
  if (others.length === 0) {
    const only: KeyState = { state: 'ready', restMs: 0 };
    return { pick: () => ({ lines: first, note: () => {} }), hasReady: () => false, states: () => lines.map(() => only), wake: () => 0 };
  }
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
    states: () => all.map((one) => one.state()),
    wake: () => all.filter((one) => one.wake()).length,
  };
}

interface Rest {
  readonly until: number;
  /** Whether the key itself was refused (401, 402 or 403), not only rate-limited. */
  readonly isRefused: boolean;
  readonly isForbidden: boolean;
}

const awake: Rest = { until: 0, isRefused: false, isForbidden: false };

class Resting implements Credential {
  readonly lines: readonly string[];
  /** A key is ordered as a destination; all keys of an upstream have the same weight. */
  readonly upstream = 'key';
  readonly upstreamModel: string;
  readonly priority = 1;
  readonly weight = 1;
  readonly #now: () => number;
  /** The rest that holds for every model. */
  #rest: Rest = awake;
  /** The rests by model. It stays small: only models of the configuration are requested. */
  readonly #byModel = new Map<string, Rest>();

  constructor(lines: readonly string[], name: string, now: () => number) {
    this.lines = lines;
    this.upstreamModel = name;
    this.#now = now;
  }

  restMs(model: string): number {
    return Math.max(Math.ceil(this.#longest(model).until - this.#now()), 0);
  }

  /** Whether it rests only because of a 403. Some vendors mean a single request by that, so the key is used when no other is left. */
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
    // A rest is only ever extended.
    if (isAboutAll(status)) this.#rest = later(this.#rest, rest);
    else this.#byModel.set(model, later(this.#byModel.get(model) ?? awake, rest));
  }

  state(): KeyState {
    const rest = [...this.#byModel.values()].reduce(later, this.#rest);
    const restMs = Math.max(Math.ceil(rest.until - this.#now()), 0);
    return { state: restMs === 0 ? 'ready' : rest.isRefused ? 'refused' : 'limited', restMs };
  }

  /** Whether it rested. */
  wake(): boolean {
    const { restMs } = this.state();
    this.#rest = awake;
    this.#byModel.clear();
    return restMs > 0;
  }

  #longest(model: string): Rest {
    return later(this.#rest, this.#byModel.get(model) ?? awake);
  }
}

const later = (one: Rest, other: Rest): Rest => (other.until > one.until ? other : one);

/** Whether a status is about the key, not about the request. */
export const isAboutKey = (status: number | null): boolean => status !== null && (status === 429 || isRefusal(status));
const isRefusal = (status: number): boolean => status === 401 || status === 402 || status === 403;
/** 401 and 402 hold for every model; vendors apply 403 and 429 by model. */
const isAboutAll = (status: number): boolean => status === 401 || status === 402;

function allRest(all: readonly Resting[], model: string): ErrorOf<CallName, 429 | 503> {
  const forMs = Math.min(...all.map((one) => one.restMs(model)));
  const headers = { 'retry-after': String(Math.max(Math.ceil(forMs / 1_000), 1)), 'retry-after-ms': String(Math.max(forMs, 1)) };
  // Fewer requests from the caller would not help.
  if (all.every((one) => one.isRefused(model)))
    return new GatewayError('no_upstream_available', { headers, cause: new Error('the vendor refused every key of the upstream') });
  return new GatewayError('rate_limit_exceeded', { message: 'The upstream of this model takes no more requests at the moment.', headers });
}
