/** The one connection to Redis: commands don't queue while it is down, a script that Redis has forgotten is loaded again, and in a cluster it follows the node that holds the keys. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { Batcher, type Waiting } from '../../primitives/batcher.ts';
import { openSharedTimeout } from '../../primitives/shared-timeout.ts';
import { type Clock, type Command, type Script, type Step, scripts } from './script.ts';

export interface Connection {
  readonly isReady: boolean;
  /** Resolves when the connection is ready for the first time. */
  readonly opened: Promise<void>;
  /** Rejects immediately without a connection; otherwise it has no time limit: see `inTime`. */
  run<T>(script: Script, command: Command): Promise<T>;
  /** Opens a new connection when nothing comes back on the old one. What waits on the old one is rejected. */
  renew(): void;
  close(): void;
}

const CONNECT_MS = 1_000;
const MAX_BACKOFF_MS = 500;
/** Milliseconds until the next attempt; a little chance keeps processes apart. */
export const backoff = (retries: number): number => Math.min(25 * 2 ** retries, MAX_BACKOFF_MS) + Math.floor(Math.random() * 25);

/** `lost` is called for each connection that breaks and each attempt that fails. */
export function openConnection(url: string, lost: (cause: unknown) => void): Connection {
  let connected: (() => void) | null = null;
  const opened = new Promise<void>((resolve) => {
    connected = resolve;
  });
  const connect = (address: string) => {
    const client = createClient({
      url: address,
      RESP: 2,
      disableOfflineQueue: true,
      disableClientInfo: true,
      maintNotifications: 'disabled',
      // It would count the time until a command is written, by an AbortSignal that lives on for all of it: most of what Redis cost here.
      commandOptions: { timeout: 0 },
      socket: { connectTimeout: CONNECT_MS, reconnectStrategy: backoff },
    });
    // Without a listener an error would end the process. Errors of a client that was replaced are ignored.
    client.on('error', (cause: unknown) => {
      if (client === current) lost(cause);
    });
    client.once('ready', () => connected?.());
    // Each failed attempt was reported to `lost`; the promise itself rejects only when the client is closed.
    ready = client.connect().catch(() => undefined);
    return client;
  };
  let ready: Promise<unknown>;
  let current = connect(url);
  const move = (address: string): void => {
    const old = current;
    current = connect(address);
    if (old.isOpen) old.destroy();
  };
  return {
    opened,
    get isReady() {
      return current.isReady;
    },
    async run<T>(script: Script, command: Command) {
      const client = current;
      try {
        return await evaluate<T>(client, script, command);
      } catch (error) {
        const owner = ownerOf(error, url);
        if (owner === null) throw error;
        // Others of the same moment may have been sent away, too.
        if (client === current) move(owner);
        await ready;
        return await evaluate<T>(current, script, command);
      }
    },
    renew: () => move(url),
    close() {
      if (current.isOpen) current.destroy();
    },
  };
}

type Client = Pick<ReturnType<typeof createClient>, 'sendCommand'>;

async function evaluate<T>(client: Client, script: Script, { keys, args }: Command): Promise<T> {
  const rest = [String(keys.length), ...keys, ...args];
  try {
    return await client.sendCommand<T>(['EVALSHA', script.sha, ...rest]);
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
    return await client.sendCommand<T>(['EVAL', script.text, ...rest]);
  }
}

/** The address of the node of a cluster that holds the keys, for "MOVED 3999 10.0.0.7:6379"; null for any other error. A node that doesn't know its name writes none. */
function ownerOf(error: unknown, url: string): string | null {
  const [kind, , address = ''] = error instanceof Error ? error.message.split(' ') : [];
  if (kind !== 'MOVED') return null;
  const [host, port] = [address.slice(0, address.lastIndexOf(':')), address.slice(address.lastIndexOf(':') + 1)];
  const owner = new URL(url);
  if (host !== '') owner.hostname = host.includes(':') ? `[${host}]` : host;
  owner.port = port;
  return owner.href;
}

/** Redis didn't answer in time; whether it executed the command is unknown. */
export class LateError extends Error {
  constructor(ms: number) {
    super(`Redis didn't respond within ${ms} ms.`);
    this.name = 'LateError';
  }
}

const patience = openSharedTimeout(10);

/** Rejects when the work takes longer. */
export const inTime = <T>(work: Promise<T>, ms: number): Promise<T> => patience(work, ms, () => new LateError(ms));

export interface BreakerOptions {
  /** Resolves when Redis answers correctly. */
  probe(failedBefore: number): Promise<void>;
  opened(cause: unknown): void;
  closed(): void;
  readonly now: () => number;
}

type State =
  | { readonly kind: 'closed'; failures: number }
  | { readonly kind: 'open'; readonly since: number; probes: number }
  /** Called when this process ends. */
  | { readonly kind: 'over' };

/** Number of consecutive timeouts that count as an outage. A single late response doesn't. */
const MAX_FAILURES = 3;
const PROBE_EVERY_MS = 200;

export class Breaker {
  readonly #options: BreakerOptions;
  #state: State = { kind: 'closed', failures: 0 };

  constructor(options: BreakerOptions) {
    this.#options = options;
  }

  get isClosed(): boolean {
    return this.#state.kind === 'closed';
  }

  /** Since when it is open; null if it is closed. */
  get since(): number | null {
    return this.#state.kind === 'open' ? this.#state.since : null;
  }

  succeeded(): void {
    if (this.#state.kind === 'closed') this.#state.failures = 0;
  }

  failed(cause: unknown): void {
    if (this.#state.kind !== 'closed') return;
    this.#state.failures++;
    if (this.#state.failures >= MAX_FAILURES) this.open(cause);
  }

  /** Called for definite failures, such as a broken connection. */
  open(cause: unknown): void {
    if (this.#state.kind !== 'closed') return;
    this.#state = { kind: 'open', since: this.#options.now(), probes: 0 };
    this.#options.opened(cause);
    this.#probeLater();
  }

  end(): void {
    this.#state = { kind: 'over' };
  }

  #probeLater(): void {
    setTimeout(() => void this.#probe(), PROBE_EVERY_MS).unref();
  }

  async #probe(): Promise<void> {
    const state = this.#state;
    if (state.kind !== 'open') return;
    try {
      await this.#options.probe(state.probes);
    } catch {
      // The reason was logged when it opened; only its end matters now.
      state.probes++;
      if (this.#state === state) this.#probeLater();
      return;
    }
    if (this.#state !== state) return;
    this.#state = { kind: 'closed', failures: 0 };
    this.#options.closed();
  }
}

export interface GatheredSteps {
  /** The result of a step; rejects when Redis could not do it. The other steps aren't affected. `isUrgent`: doesn't wait for other steps. */
  ask(step: Step, isUrgent?: boolean): Promise<readonly number[]>;
  /** Resolves when all waiting steps have been sent. */
  flush(): Promise<void>;
}

/** A script blocks Redis for every other client while it runs. */
const MAX_STEPS = 32;

/** The reason of the failure, in place of the result. */
type Answer = readonly number[] | readonly [string];

interface Gathering {
  readonly clock: () => Clock;
  /** How many callers will soon send a step: the first ones that aren't urgent wait a moment for them. */
  readonly expected: () => number;
}

export function gatherSteps(connection: Pick<Connection, 'run'>, { clock, expected }: Gathering): GatheredSteps {
  const batcher = new Batcher<Step, readonly number[]>({
    send() {
      while (batcher.size > 0) void fly(connection, clock(), batcher.take(MAX_STEPS));
    },
    expected,
  });
  return {
    ask(step, isUrgent = false) {
      const { promise } = batcher.add(step);
      if (isUrgent) batcher.sendSoon();
      else batcher.plan();
      return promise;
    },
    async flush() {
      batcher.sendSoon();
      while (batcher.size > 0) await nextTurn();
    },
  };
}

async function fly(
  connection: Pick<Connection, 'run'>,
  { time, leaseMs }: Clock,
  batch: readonly Waiting<Step, readonly number[]>[],
): Promise<void> {
  const places = new Map<string, number>();
  const placeOf = (key: string): number => {
    const known = places.get(key);
    if (known !== undefined) return known;
    places.set(key, places.size + 1);
    return places.size;
  };
  try {
    const words = batch.map(({ order: step }) => step(placeOf));
    const answers = await connection.run<readonly Answer[]>(scripts.steps, { keys: [...places.keys()], args: [time, leaseMs, ...words] });
    for (const [index, { resolve, reject }] of batch.entries()) {
      const answer = answers[index] ?? ['Redis returned no result for a step.'];
      if (isFound(answer)) resolve(answer);
      else reject(new Error(answer[0]));
    }
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}

const isFound = (answer: Answer): answer is readonly number[] => typeof answer[0] !== 'string';
