/** Many callers at once against a limit, and the clock that it goes by: in the test's hand where limits are counted in this process, that of Redis where they are shared (promise G11). */
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
  readonly count: number;
  readonly body: object;
}

/** All at once, each on a connection of its own: on a busy machine it takes a while until the last of them is there. */
export async function rushTo(origin: string, { key, count, body }: Rush): Promise<Said[]> {
  const pool = new Pool(origin, { connections: count, pipelining: 1, connectTimeout: 60_000 });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  try {
    return await Promise.all(
      Array.from({ length: count }, async () => {
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
  /** Whether it stands still but for what a test lets pass. */
  readonly stands: boolean;
  /** Before each test. */
  start(): void;
  /** From here on it is the clock of the machine. */
  stop(): void;
  pass(ms: number): Promise<void>;
  /** The most of a limit that has become free by itself since the test began. */
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
