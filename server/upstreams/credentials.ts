/** Credential pool: several keys at one provider. A session keeps its key; a key that the provider rejects isn't used for a while. */

import type { EventEmitter } from 'node:events';
import { type HttpUpstreamConfig, keyHeadersOf } from '../config/config.ts';
import type { AuthSettings } from '../config/values.ts';
import { rateLimitedMessage } from '../dialects/failure.ts';
import { type CallCode, type CallName, type ErrorOf, GatewayError } from '../errors.ts';
import { inOrder } from './circuit-breaker.ts';
import type { KeyState, UpstreamAnswer } from './upstream.ts';

/** Parts of a request that a credential may have to sign. */
export interface Order {
  readonly method: 'POST';
  /** As it is sent, with its query. */
  readonly path: string;
  /** With its port where that isn't the usual one. */
  readonly host: string;
  readonly contentType: string;
  /** Null for a form. */
  readonly body: Buffer | null;
}

/** Header names and values, alternating. */
export type Lines = readonly string[];

export interface Credential {
  /** The headers for one attempt. A promise only where something is fetched or signed first: it rejects with `upstream_error`, and nothing is sent then. */
  lines(order: Order): Lines | Promise<Lines>;
  /** Takes a response that rejects these lines. True if they have expired, and the attempt may be made once more with new ones. */
  renew?(answer: Pick<UpstreamAnswer, 'status' | 'headers'>, lines: Lines): boolean;
  /** Takes the status of a response to a request with this key, for a model. */
  note(status: number, retryAfterSeconds: number | null, model: string): void;
}

export interface Credentials {
  /** With several keys, throws `rate_limit_exceeded` when none may be used for this model now, or `no_upstream_available` when the provider has rejected them all (F59). */
  pick(session: () => string | null, model: string): Credential;
  /** Whether there are several keys, and one may be used for this model now. */
  hasReady(model: string): boolean;
  /** Returns the states of the keys, in the order of the configuration. */
  states(): readonly KeyState[];
  /** Ends all cooldowns; returns how many keys were cooling down. */
  reset(): number;
}

/** How long a rejected key isn't used: it is revoked, out of credit, or not allowed to use the model. */
const REFUSED_MS = 300_000;
const BUSY_MS = 10_000;
const MAX_MS = 600_000;

export function openCredentials(lines: readonly Lines[], now: () => number = () => performance.now()): Credentials {
  const [first = [], ...others] = lines;
  if (others.length === 0) {
    const only: KeyState = { state: 'ready', restMs: 0 };
    const alone: Credential = { lines: () => first, note: () => {} };
    return { pick: () => alone, hasReady: () => false, states: () => lines.map(() => only), reset: () => 0 };
  }
  const all = lines.map((each, index) => new PooledKey(each, String(index), now));
  const ready = (model: string): readonly PooledKey[] => all.filter((one) => one.cooldownMs(model) === 0);
  return {
    pick(session, model) {
      const [one] = inOrder(ready(model), session());
      if (one) return one;
      const [forbidden] = inOrder(
        all.filter((key) => key.isForbiddenAlone(model)),
        session(),
      );
      if (!forbidden) throw allCoolingDown(all, model);
      return forbidden;
    },
    hasReady: (model) => ready(model).length > 0,
    states: () => all.map((one) => one.state()),
    reset: () => all.filter((one) => one.reset()).length,
  };
}

interface Cooldown {
  readonly until: number;
  /** Whether the key itself was rejected (401, 402 or 403), not only rate-limited. */
  readonly isRejected: boolean;
  readonly isForbidden: boolean;
}

const noCooldown: Cooldown = { until: 0, isRejected: false, isForbidden: false };

class PooledKey implements Credential {
  readonly #lines: Lines;
  /** A key is ordered as a destination; all keys of an upstream have the same weight. */
  readonly upstream = 'key';
  readonly upstreamModel: string;
  readonly priority = 1;
  readonly weight = 1;
  readonly #now: () => number;
  /** The cooldown that holds for every model. */
  #cooldown: Cooldown = noCooldown;
  /** The cooldowns by model. It stays small: only models of the configuration are requested. */
  readonly #byModel = new Map<string, Cooldown>();

  constructor(lines: Lines, name: string, now: () => number) {
    this.#lines = lines;
    this.upstreamModel = name;
    this.#now = now;
  }

  lines(): Lines {
    return this.#lines;
  }

  cooldownMs(model: string): number {
    return Math.max(Math.ceil(this.#longest(model).until - this.#now()), 0);
  }

  /** Whether it cooldowns only because of a 403. Some providers mean a single request by that, so the key is used when no other is left. */
  isForbiddenAlone(model: string): boolean {
    const { until, isForbidden } = this.#byModel.get(model) ?? noCooldown;
    return isForbidden && until > this.#now() && this.#cooldown.until <= this.#now();
  }

  isRejected(model: string): boolean {
    return this.#longest(model).isRejected;
  }

  note(status: number, retryAfterSeconds: number | null, model: string): void {
    const restMs = status === 429 ? (retryAfterSeconds ?? BUSY_MS / 1_000) * 1_000 : isRefusal(status) ? REFUSED_MS : 0;
    if (restMs <= 0) return;
    const cooldown = { until: this.#now() + Math.min(restMs, MAX_MS), isRejected: isRefusal(status), isForbidden: status === 403 };
    // A cooldown is only ever extended.
    if (isAboutAll(status)) this.#cooldown = later(this.#cooldown, cooldown);
    else this.#byModel.set(model, later(this.#byModel.get(model) ?? noCooldown, cooldown));
  }

  state(): KeyState {
    const { until, isRejected } = [...this.#byModel.values()].reduce(later, this.#cooldown);
    const restMs = Math.max(Math.ceil(until - this.#now()), 0);
    return { state: restMs === 0 ? 'ready' : isRejected ? 'rejected' : 'limited', restMs };
  }

  /** Whether it was cooling down. */
  reset(): boolean {
    const { restMs } = this.state();
    this.#cooldown = noCooldown;
    this.#byModel.clear();
    return restMs > 0;
  }

  #longest(model: string): Cooldown {
    return later(this.#cooldown, this.#byModel.get(model) ?? noCooldown);
  }
}

const later = (one: Cooldown, other: Cooldown): Cooldown => (other.until > one.until ? other : one);

/** Whether a status is about the key, not about the request. */
export const isAboutKey = (status: number | null): boolean => status !== null && (status === 429 || isRefusal(status));
const isRefusal = (status: number): boolean => status === 401 || status === 402 || status === 403;
/** 401 and 402 hold for every model; providers apply 403 and 429 by model. */
const isAboutAll = (status: number): boolean => status === 401 || status === 402;

function allCoolingDown(all: readonly PooledKey[], model: string): ErrorOf<CallName, 429 | 503> {
  const forMs = Math.min(...all.map((one) => one.cooldownMs(model)));
  const headers = { 'retry-after': String(Math.max(Math.ceil(forMs / 1_000), 1)), 'retry-after-ms': String(Math.max(forMs, 1)) };
  // Fewer requests from the caller wouldn't help.
  if (all.every((one) => one.isRejected(model)))
    return new GatewayError('no_upstream_available', { headers, cause: new Error('the provider rejected every key of the upstream') });
  return new GatewayError('rate_limit_exceeded', { message: rateLimitedMessage(forMs / 1_000), headers });
}

export interface OpenAuth {
  /** The keys of the configuration, in its order. */
  readonly keys: readonly string[];
  readonly credentials: Credentials;
  close(): Promise<void>;
}

const ofKeys = new Set(['none', 'bearer', 'header']);

export function openAuth(config: HttpUpstreamConfig, openers: AuthOpeners): OpenAuth {
  const { auth } = config;
  if (auth === undefined || ofKeys.has(auth.type)) {
    const keys = config.apiKeys ?? (config.apiKey === undefined ? [] : [config.apiKey]);
    const lines = keys.map((key) => Object.entries(keyHeadersOf(config, key)).flat());
    return { keys, credentials: openCredentials(lines), close: async () => {} };
  }
  const open = openers[auth.type];
  if (!open) throw new TypeError(`no module is loaded for auth of type ${auth.type}`);
  const one = open(config);
  return { keys: [], credentials: ofOne(one), close: () => one.close() };
}

const ready: KeyState = { state: 'ready', restMs: 0 };

const ofOne = (one: FetchedCredential): Credentials => ({
  pick: () => one,
  hasReady: () => false,
  states: () => [ready],
  reset: () => 0,
});

/** A credential as `modelgate doctor` reports it. */
export interface CredentialFacts {
  /** Headers for a request that costs nothing. They are never shown. */
  readonly headers: Readonly<Record<string, string>>;
  /** Its source, owner and expiry, without any secret. */
  readonly facts: readonly string[];
  /** Milliseconds by which the issuer's clock is ahead of ours, when that is too much. */
  readonly skewMs?: number;
}

/** The only credential of an upstream, which fetches tokens or signs requests. */
export interface FetchedCredential extends Credential {
  /** Fetches a new one. Rejects with the reason, which contains no secret. */
  describe?(): Promise<CredentialFacts>;
  /** Closes its connections. */
  close(): Promise<void>;
}

export type AuthType = AuthSettings['type'];
export type AuthOpener = (upstream: HttpUpstreamConfig) => FetchedCredential;
export type AuthOpeners = Readonly<Partial<Record<AuthType, AuthOpener>>>;

/** Rejects with `overloaded` when `gone` emits `abort` first. The work itself continues for other callers. */
export function raceDisconnect<T>(work: Promise<T>, gone: EventEmitter): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const leave = (): void =>
    reject(new GatewayError<CallCode>('overloaded', { cause: new Error('the client disconnected before the request was sent') }));
  gone.once('abort', leave);
  work.then(resolve, reject);
  return promise.finally(() => gone.off('abort', leave));
}
