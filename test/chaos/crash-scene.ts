/** A gateway that is killed again and again under the load of its callers, with a journal of what they were promised. */
import { setTimeout as pause } from 'node:timers/promises';
import { Agent } from 'undici';
import { expect } from 'vitest';
import { Journal, type Load, openLoad, serve, untilServed, type Work } from './crash-caller.ts';

export const perSecond = 200;

interface Killed {
  readonly key: string;
  /** The address may change with each start. */
  readonly origin: string;
  /** Resolves when it listens. */
  start(): Promise<unknown>;
  kill(): Promise<unknown>;
}

export class Scene {
  readonly load: Load = openLoad(perSecond);
  readonly journal = new Journal();
  readonly #gateway: Killed;
  #agent = new Agent({ connections: 64 });
  /** How long the last whole start took. */
  #startMs = 0;

  constructor(gateway: Killed) {
    this.#gateway = gateway;
  }

  /** Callers send requests as soon as it listens. The last completed response must be there. */
  async start(): Promise<void> {
    const from = performance.now();
    await this.#gateway.start();
    this.#startMs = performance.now() - from;
    const { origin, key } = this.#gateway;
    this.load.door = { origin, key, agent: this.#agent, journal: this.journal };
    const { last } = this.journal;
    const recall = () => fetch(`${origin}/v1/responses/${last}`, { headers: { authorization: `Bearer ${key}` } });
    if (last !== undefined) expect(await untilServed(async () => (await recall()).status)).toBe(200);
  }

  serve(work: Work): Promise<void> {
    return serve(this.load, this.journal, work);
  }

  /** Kills the gateway at this percentage of the time that a start takes; above 100 it may be recovering the holds of the process before. */
  async killEarly(percentage: number): Promise<void> {
    const starting = this.#gateway.start().catch(() => undefined);
    await pause((this.#startMs * percentage) / 100);
    await this.kill();
    await starting;
  }

  async kill(): Promise<void> {
    await this.#gateway.kill();
    this.load.door = null;
    await this.#agent.destroy();
    this.#agent = new Agent({ connections: 64 });
  }

  /** Resolves when all calls have ended. */
  async stop(): Promise<void> {
    await this.load.stop();
    await this.#agent.destroy();
  }
}
