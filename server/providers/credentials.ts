/** The credential pool of an upstream with several keys. A session keeps its key, and a key that the provider rejects isn't used for a while. */

import { type CallName, GatewayError, type OperationError } from '../primitives/errors.ts';
import { createRateLimitMessage } from '../protocols/retry-after.ts';
import { orderForLoadBalancing } from './load-balancing.ts';
import type { KeyState, UpstreamResponse } from './upstream.ts';

/** The parts of a request that a credential may have to sign. */
export interface SignableRequest {
  readonly method: 'POST';
  /** Exactly as sent, including the query. */
  readonly path: string;
  /** Includes the port if it isn't the default. */
  readonly host: string;
  readonly contentType: string;
  /** Null for a form. */
  readonly body: Buffer | null;
}

/** Header names and values, alternating. */
export type HeaderLines = readonly string[];

export interface Credential {
  /**
   * Returns the headers for one attempt, or a promise if a token must be fetched or the request signed first. The promise rejects with `upstream_error`
   * before anything is sent.
   */
  getLines(request: SignableRequest): HeaderLines | Promise<HeaderLines>;
  /** Handles a response that rejects these header lines. Returns true if they have expired and the attempt can be repeated once with fresh ones. */
  renew?(answer: Pick<UpstreamResponse, 'status' | 'headers'>, lines: HeaderLines): boolean;
  /** Records the response status of a request with this key and model. */
  recordStatus(status: number, retryAfterSeconds: number | null, model: string): void;
}

export interface Credentials {
  /**
   * With several keys, throws `rate_limit_exceeded` if none is usable for this model now. Throws `no_upstream_available` if the provider rejected them all
   * (F59).
   */
  pick(session: () => string | null, model: string): Credential;
  /** Whether there are several keys and at least one is usable for this model now. */
  hasReady(model: string): boolean;
  /** Returns the states of the keys, in configuration order. */
  getStates(): readonly KeyState[];
  /** Ends all cooldowns; returns how many keys were cooling down. */
  reset(): number;
}

/** How long a rejected key isn't used: it's revoked, out of credit, or not permitted to use the model. */
const REJECTED_COOLDOWN_MS = 300_000;
const RATE_LIMIT_COOLDOWN_MS = 10_000;
const MAX_COOLDOWN_MS = 600_000;

export function openCredentials(lines: readonly HeaderLines[], now: () => number = () => performance.now()): Credentials {
  const [first = [], ...otherLines] = lines;
  if (otherLines.length === 0) {
    const readyState: KeyState = { state: 'ready', restMs: 0 };
    const singleCredential: Credential = { getLines: () => first, recordStatus: () => {} };
    return { pick: () => singleCredential, hasReady: () => false, getStates: () => lines.map(() => readyState), reset: () => 0 };
  }
  const keys = lines.map((each, index) => new PooledKey(each, String(index), now));
  const findReadyKeys = (model: string): readonly PooledKey[] => keys.filter((one) => one.getCooldownMs(model) === 0);
  return {
    pick(session, model) {
      const [readyKey] = orderForLoadBalancing(findReadyKeys(model), session());
      if (readyKey) return readyKey;
      const [forbiddenKey] = orderForLoadBalancing(
        keys.filter((key) => key.isForbiddenAlone(model)),
        session(),
      );
      if (!forbiddenKey) throw createCoolingDownError(keys, model);
      return forbiddenKey;
    },
    hasReady: (model) => findReadyKeys(model).length > 0,
    getStates: () => keys.map((one) => one.getState()),
    reset: () => keys.filter((one) => one.reset()).length,
  };
}

interface Cooldown {
  readonly until: number;
  /** Whether the provider rejected the key itself (401, 402 or 403), not only rate-limited it. */
  readonly isRejected: boolean;
  readonly isForbidden: boolean;
}

const noCooldown: Cooldown = { until: 0, isRejected: false, isForbidden: false };

class PooledKey implements Credential {
  readonly #lines: HeaderLines;
  /** Keys are ordered like load-balancing destinations. All keys of an upstream have the same weight. */
  readonly upstream = 'key';
  readonly upstreamModel: string;
  readonly priority = 1;
  readonly weight = 1;
  readonly #now: () => number;
  /** The cooldown for all models. */
  #cooldown: Cooldown = noCooldown;
  /** Cooldowns by model. Stays small, because only configured models are requested. */
  readonly #cooldownsByModel = new Map<string, Cooldown>();

  constructor(lines: HeaderLines, name: string, now: () => number) {
    this.#lines = lines;
    this.upstreamModel = name;
    this.#now = now;
  }

  getLines(): HeaderLines {
    return this.#lines;
  }

  getCooldownMs(model: string): number {
    return Math.max(Math.ceil(this.#getLongestCooldown(model).until - this.#now()), 0);
  }

  /** Whether the key is cooling down only because of a 403. Some providers reject a single request that way, so the key is used if no other is left. */
  isForbiddenAlone(model: string): boolean {
    const { until, isForbidden } = this.#cooldownsByModel.get(model) ?? noCooldown;
    return isForbidden && until > this.#now() && this.#cooldown.until <= this.#now();
  }

  isRejected(model: string): boolean {
    return this.#getLongestCooldown(model).isRejected;
  }

  recordStatus(status: number, retryAfterSeconds: number | null, model: string): void {
    const restMs =
      status === 429 ? (retryAfterSeconds ?? RATE_LIMIT_COOLDOWN_MS / 1_000) * 1_000 : isKeyRejection(status) ? REJECTED_COOLDOWN_MS : 0;
    if (restMs <= 0) return;
    const cooldown = {
      until: this.#now() + Math.min(restMs, MAX_COOLDOWN_MS),
      isRejected: isKeyRejection(status),
      isForbidden: status === 403,
    };
    // Cooldowns are only extended, never shortened.
    if (affectsAllModels(status)) this.#cooldown = pickLater(this.#cooldown, cooldown);
    else this.#cooldownsByModel.set(model, pickLater(this.#cooldownsByModel.get(model) ?? noCooldown, cooldown));
  }

  getState(): KeyState {
    const { until, isRejected } = [...this.#cooldownsByModel.values()].reduce(pickLater, this.#cooldown);
    const restMs = Math.max(Math.ceil(until - this.#now()), 0);
    return { state: restMs === 0 ? 'ready' : isRejected ? 'rejected' : 'limited', restMs };
  }

  /** Returns whether the key was cooling down. */
  reset(): boolean {
    const { restMs } = this.getState();
    this.#cooldown = noCooldown;
    this.#cooldownsByModel.clear();
    return restMs > 0;
  }

  #getLongestCooldown(model: string): Cooldown {
    return pickLater(this.#cooldown, this.#cooldownsByModel.get(model) ?? noCooldown);
  }
}

const pickLater = (one: Cooldown, other: Cooldown): Cooldown => (other.until > one.until ? other : one);

/** Whether a status concerns the key rather than the request. */
export const isKeyStatus = (status: number | null): boolean => status !== null && (status === 429 || isKeyRejection(status));
const isKeyRejection = (status: number): boolean => status === 401 || status === 402 || status === 403;
/** 401 and 402 affect every model; providers apply 403 and 429 per model. */
const affectsAllModels = (status: number): boolean => status === 401 || status === 402;

function createCoolingDownError(keys: readonly PooledKey[], model: string): OperationError<CallName, 429 | 503> {
  const waitMs = Math.min(...keys.map((one) => one.getCooldownMs(model)));
  const headers = { 'retry-after': String(Math.max(Math.ceil(waitMs / 1_000), 1)), 'retry-after-ms': String(Math.max(waitMs, 1)) };
  // Fewer requests from the caller wouldn't help, so this isn't a 429.
  if (keys.every((one) => one.isRejected(model)))
    return new GatewayError('no_upstream_available', { headers, cause: new Error('the provider rejected every key of the upstream') });
  return new GatewayError('rate_limit_exceeded', { message: createRateLimitMessage(waitMs / 1_000), headers });
}

/** Returns the last characters of a key. Empty for a short key, because they would reveal most of it. */
export const getLastFour = (key: string): string => (key.length < MIN_SHOWN_KEY_LENGTH ? '' : key.slice(-4));
const MIN_SHOWN_KEY_LENGTH = 12;
