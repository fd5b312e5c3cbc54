/**
 * The one connection to Redis. Commands don't queue while it's down. Reloads a script that Redis lost, and in a cluster connects to the node with the
 * keys.
 */

import { createClient } from '@redis/client';
import { openSharedTimeout } from '../../primitives/shared-timeout.ts';
import type { Command, Script } from './script.ts';

export interface Connection {
  readonly isReady: boolean;
  /** Resolves when the connection is ready for the first time. */
  readonly opened: Promise<void>;
  /** Rejects immediately without a connection. Otherwise it has no timeout: see `withDeadline`. */
  run<T>(script: Script, command: Command): Promise<T>;
  /** Opens a new connection if the old one gets no responses. Rejects the commands waiting on the old one. */
  renew(): void;
  close(): void;
}

const CONNECT_TIMEOUT_MS = 1_000;
const MAX_BACKOFF_MS = 500;
/** Milliseconds until the next attempt. Random jitter keeps processes apart. */
export const getBackoffMs = (retries: number): number => Math.min(25 * 2 ** retries, MAX_BACKOFF_MS) + Math.floor(Math.random() * 25);

/** `onLost` is called for each broken connection and each failed attempt. */
export function openConnection(url: string, onLost: (cause: unknown) => void): Connection {
  let resolveOpened: (() => void) | null = null;
  const opened = new Promise<void>((resolve) => {
    resolveOpened = resolve;
  });
  const connect = (address: string) => {
    const client = createClient({
      url: address,
      RESP: 2,
      disableOfflineQueue: true,
      disableClientInfo: true,
      maintNotifications: 'disabled',
      // Disabled, because the client would create an AbortSignal per command that lives for the full timeout. That was most of the cost
      // of Redis here.
      commandOptions: { timeout: 0 },
      socket: { connectTimeout: CONNECT_TIMEOUT_MS, reconnectStrategy: getBackoffMs },
    });
    // Without a listener, an error would end the process. Errors of a replaced client are ignored.
    client.on('error', (cause: unknown) => {
      if (client === currentClient) onLost(cause);
    });
    client.once('ready', () => resolveOpened?.());
    // Each failed attempt was reported to `onLost`. The promise itself rejects only when the client is closed.
    readyPromise = client.connect().catch(() => undefined);
    return client;
  };
  let readyPromise: Promise<unknown>;
  let currentClient = connect(url);
  const switchTo = (address: string): void => {
    const previousClient = currentClient;
    currentClient = connect(address);
    if (previousClient.isOpen) previousClient.destroy();
  };
  return {
    opened,
    get isReady() {
      return currentClient.isReady;
    },
    async run<T>(script: Script, command: Command) {
      const client = currentClient;
      try {
        return await evaluate<T>(client, script, command);
      } catch (error) {
        const ownerUrl = parseMovedUrl(error, url);
        if (ownerUrl === null) throw error;
        // Other commands sent at the same time may already have moved the connection.
        if (client === currentClient) switchTo(ownerUrl);
        await readyPromise;
        return await evaluate<T>(currentClient, script, command);
      }
    },
    renew: () => switchTo(url),
    close() {
      if (currentClient.isOpen) currentClient.destroy();
    },
  };
}

type Client = Pick<ReturnType<typeof createClient>, 'sendCommand'>;

async function evaluate<T>(client: Client, script: Script, { keys, args }: Command): Promise<T> {
  const evalArgs = [String(keys.length), ...keys, ...args];
  try {
    return await client.sendCommand<T>(['EVALSHA', script.sha, ...evalArgs]);
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
    return await client.sendCommand<T>(['EVAL', script.text, ...evalArgs]);
  }
}

/**
 * Returns the URL of the cluster node that has the keys, from "MOVED 3999 10.0.0.7:6379". Null for any other error. A node without a
 * known hostname omits the host.
 */
function parseMovedUrl(error: unknown, url: string): string | null {
  const [kind, , address = ''] = error instanceof Error ? error.message.split(' ') : [];
  if (kind !== 'MOVED') return null;
  const [host, port] = [address.slice(0, address.lastIndexOf(':')), address.slice(address.lastIndexOf(':') + 1)];
  const ownerUrl = new URL(url);
  if (host !== '') ownerUrl.hostname = host.includes(':') ? `[${host}]` : host;
  ownerUrl.port = port;
  return ownerUrl.href;
}

/** Redis didn't respond in time. Whether it ran the command is unknown. */
export class RedisTimeoutError extends Error {
  constructor(ms: number) {
    super(`Redis didn't respond within ${ms} ms.`);
    this.name = 'LateError';
  }
}

const runWithTimeout = openSharedTimeout(10);

/** Rejects if the work takes longer. */
export const withDeadline = <T>(work: Promise<T>, ms: number): Promise<T> => runWithTimeout(work, ms, () => new RedisTimeoutError(ms));
