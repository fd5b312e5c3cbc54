/** Many concurrent callers of streams who hang up in random order, with their number, statuses and ends (G6, G7, G9). */
import { type Agent, request } from 'undici';

export interface Door {
  /** Without a path. */
  readonly origin: string;
  readonly key: string;
  readonly agent: Agent;
}

export interface Asked {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

interface Following {
  readonly leaving: AbortController;
}

/** Numbers from 0 to 1, the same in each run. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export class Crowd {
  readonly #door: Door;
  readonly #asked: Asked;
  readonly #random: () => number;
  readonly #following: Following[] = [];
  readonly #running = new Set<Promise<void>>();
  /** Answers by status. */
  readonly statuses: Record<number, number> = {};
  /** Streams that ended or broke before their caller hung up. */
  readonly ended: string[] = [];
  opened = 0;
  hungUp = 0;

  constructor(door: Door, asked: Asked, seed: number) {
    this.#door = door;
    this.#asked = asked;
    this.#random = randomFrom(seed);
  }

  get size(): number {
    return this.#following.length;
  }

  open(count: number): void {
    for (let index = 0; index < count; index++) this.#openOne();
  }

  /** Random callers hang up: some still wait for an answer, some have read a lot. */
  hangUp(count: number): void {
    for (let left = Math.min(count, this.size); left > 0; left--) {
      const [one] = this.#following.splice(Math.floor(this.#random() * this.size), 1);
      this.hungUp++;
      one?.leaving.abort();
    }
  }

  /** All callers hang up; resolves when all are gone. */
  async leave(): Promise<void> {
    this.hangUp(this.size);
    await Promise.all(this.#running);
  }

  #openOne(): void {
    const following: Following = { leaving: new AbortController() };
    this.#following.push(following);
    this.opened++;
    const running = this.#follow(following).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async #follow(following: Following): Promise<void> {
    const { signal } = following.leaving;
    let bytes = 0;
    let why = 'ended';
    try {
      const { origin, key, agent } = this.#door;
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const body = JSON.stringify(this.#asked.body);
      const answer = await request(`${origin}${this.#asked.path}`, { method: 'POST', headers, body, dispatcher: agent, signal });
      this.statuses[answer.statusCode] = (this.statuses[answer.statusCode] ?? 0) + 1;
      for await (const piece of answer.body) bytes += piece.length;
    } catch (error) {
      why = String(error);
    }
    if (signal.aborted) return;
    this.#following.splice(this.#following.indexOf(following), 1);
    this.ended.push(`${why} after ${bytes} bytes`);
  }
}
