/** The one connection to Redis: commands don't queue while it is down, a script that Redis has forgotten is loaded again, and in a cluster it follows the node that holds the keys. */
import { createClient } from '@redis/client';
import { openSharedTimeout } from '../../primitives/shared-timeout.ts';
import type { Script } from './script.ts';
import type { Command } from './script-steps.ts';

export interface Connection {
  readonly isReady: boolean;
  /** Resolves when the connection is ready for the first time. */
  readonly opened: Promise<void>;
  /** Rejects at once when there is no connection; otherwise there is no time limit: see `inTime`. */
  run<T>(script: Script, command: Command): Promise<T>;
  /** Opens a new connection when nothing comes back on the old one. What waits on the old one is rejected. */
  renew(): void;
  close(): void;
}

const CONNECT_MS = 1_000;
const MOST_BACKOFF_MS = 500;
/** Milliseconds until the next attempt; a little chance keeps processes apart. */
export const backoff = (retries: number): number => Math.min(25 * 2 ** retries, MOST_BACKOFF_MS) + Math.floor(Math.random() * 25);

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

/** Redis did not answer in time; whether it executed the command is unknown. */
export class LateError extends Error {
  constructor(ms: number) {
    super(`Redis did not answer within ${ms} ms.`);
    this.name = 'LateError';
  }
}

const patience = openSharedTimeout(10);

/** Rejects when the work takes longer. */
export const inTime = <T>(work: Promise<T>, ms: number): Promise<T> => patience(work, ms, () => new LateError(ms));
