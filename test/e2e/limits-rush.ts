/** Many calls at once against a limit, and the clock of the limits: the test controls it in this process, but not that of Redis (promise G11). */
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { vi } from 'vitest';
import { onSharedStores } from '../harness/stores.ts';

export interface Said {
  readonly status: number;
  readonly code: string | null;
  readonly headers: Readonly<Record<string, unknown>>;
}

interface Rush {
  readonly key: string;
  readonly bodies: readonly object[];
}

export const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

/** All at once, each on its own connection; on a busy machine the last one takes a while to open. */
export async function rushTo(origin: string, { key, bodies }: Rush): Promise<Said[]> {
  const pool = new Pool(origin, { connections: bodies.length, pipelining: 1, connectTimeout: 60_000 });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  try {
    return await Promise.all(
      bodies.map(async (body) => {
        const answer = await pool.request({ method: 'POST', path: '/v1/chat/completions', headers, body: JSON.stringify(body) });
        const value = (await answer.body.json()) as { readonly error?: { readonly code: string } };
        return { status: answer.statusCode, code: value.error?.code ?? null, headers: answer.headers };
      }),
    );
  } finally {
    await pool.close();
  }
}

export const through = (said: readonly Said[]): number => said.filter(({ status }) => status === 200).length;
export const refusals = (said: readonly Said[]): string[] => [
  ...new Set(said.filter(({ status }) => status !== 200).map(({ status, code }) => `${status} ${code}`)),
];

export interface Clock {
  /** Whether it moves only by `pass`. */
  readonly stands: boolean;
  /** Called before each test. */
  start(): void;
  /** Restores the clock of the machine. */
  stop(): void;
  pass(ms: number): Promise<void>;
  /** The most requests that a limit has let through by itself since the test began. */
  leaked(perMinute: number): number;
}

export const openClock = (): Clock => (onSharedStores() ? openRunning() : openStanding());

function openStanding(): Clock {
  let now = 1_000_000;
  return {
    stands: true,
    start: () => void vi.spyOn(performance, 'now').mockImplementation(() => now),
    stop: () => void vi.restoreAllMocks(),
    async pass(ms) {
      now += ms;
    },
    leaked: () => 0,
  };
}

function openRunning(): Clock {
  let began = 0;
  return {
    stands: false,
    start() {
      began = performance.now();
    },
    stop: () => undefined,
    // Timers may be a millisecond early.
    pass: async (ms) => void (await pause(ms + 2)),
    leaked: (perMinute) => Math.floor(((performance.now() - began) * perMinute) / 60_000),
  };
}
