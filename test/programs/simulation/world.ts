/** One gateway with its real store, a vendor and callers, in which a seed decides what happens next. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { stringify } from 'yaml';
import { issueKey } from '../../../server/access/issue-key.ts';
import { openApp } from '../../../server/api/app.ts';
import { loadConfig } from '../../../server/config/config.ts';
import { type Gateway, openGateway } from '../../../server/gateway/gateway.ts';
import type { LedgerStore } from '../../../server/money/store.ts';
import { StorageError } from '../../../server/store/errors.ts';
import { openLog } from '../../../server/telemetry/log.ts';
import { type Fake, openFake } from '../../fakes/upstream.ts';
import { breathe, pass } from './clock.ts';
import { openRandom, type Random } from './random.ts';

/** Something that waits until the seed lets it go on. */
export interface Gate {
  readonly label: string;
  readonly open: () => void;
}

/** Turns of the event loop in which nothing may happen: a loopback connection needs some. */
const QUIET_TURNS = 14;
const MAX_TRIES = 2_000;
const TURNS_OF_A_STEP = 200;

export class World {
  random: Random = openRandom(0);
  gates: Gate[] = [];
  trace: string[] = [];
  log: string[] = [];
  /** Whether no step of the store waits or fails. */
  isCalm = true;
  #events = 0;
  #running = 0;

  /** What is there goes on; what happens from now on follows from this seed. */
  begin(seed: number): void {
    this.random = openRandom(seed);
    this.isCalm = false;
    [this.gates, this.trace, this.log] = [[], [], []];
  }

  note(what: string): void {
    this.#events++;
    this.trace.push(what);
  }

  /** Resolves when the seed has chosen this gate. */
  wait(label: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.gates.push({ label, open: resolve });
    this.note(`? ${label}`);
    return promise;
  }

  /** Resolves when it is so, and fails when it takes too long: time passes, and the disk has time. */
  async until(isSo: () => boolean, what: string): Promise<void> {
    for (let tries = 0; !isSo(); tries++) {
      if (tries > MAX_TRIES) throw new Error(`not in time: ${what}`);
      await this.quiet();
      await breathe();
      pass(tries < 50 ? 5 : 100);
    }
  }

  /** Of work that may wait for a timer. */
  async result<T>(work: Promise<T>): Promise<T> {
    let isOver = false;
    const note = (): void => {
      isOver = true;
    };
    work.then(note, note);
    await this.until(() => isOver, 'a step');
    return await work;
  }

  /** Resolves when nothing moves but for what waits at a gate or for time. */
  async quiet(): Promise<void> {
    let waited = 0;
    for (let turns = 0, seen = this.#events; turns < QUIET_TURNS; turns++) {
      await nextTurn();
      if (this.#running === 0 && this.#events === seen) continue;
      turns = 0;
      seen = this.#events;
      // A step of the store may wait a moment for others.
      if (++waited % TURNS_OF_A_STEP === 0) pass(5);
    }
  }

  /** Puts gates before and after each of these methods, and lets some fail: before they have done anything, or after. */
  gate<S extends object>(store: S, methods: readonly (keyof S & string)[]): void {
    for (const method of methods) {
      const inner = store[method] as (...args: readonly unknown[]) => Promise<unknown>;
      const gated = async (...args: readonly unknown[]): Promise<unknown> => {
        if (this.isCalm) return await this.#run(() => inner.apply(store, [...args]));
        const fate = this.random.pick(['well', 'well', 'well', 'well', 'rejected', 'lost'] as const);
        await this.wait(method);
        if (fate === 'rejected') throw new StorageError(`${method} failed`);
        const result = await this.#run(() => inner.apply(store, [...args]));
        await this.wait(`${method} done`);
        if (fate === 'lost') throw new StorageError(`the answer of ${method} was lost`);
        return result;
      };
      Object.assign(store, { [method]: gated });
    }
  }

  async #run<T>(work: () => Promise<T>): Promise<T> {
    this.#running++;
    try {
      return await work();
    } finally {
      this.#running--;
      this.#events++;
    }
  }
}

export interface Place {
  readonly origin: string;
  readonly gateway: Gateway;
  readonly ledger: LedgerStore;
  readonly vendor: Fake;
  newKey(account: string, balance: bigint): Promise<{ readonly key: string; readonly accountId: string }>;
  close(): Promise<void>;
}

/** The most calls of a key at once. */
export const CONCURRENCY = 6;

export async function openPlace(world: World): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'modelgate-simulation-'));
  const vendor = await openFake();
  const upstream = { kind: 'openai', baseUrl: vendor.url, apiKey: 'sk-vendor', onClientDisconnect: 'abort' };
  const settings = {
    data: join(folder, 'data'),
    durability: 'relaxed',
    server: { overload: { loopDelayMs: 0, memoryMiB: 0 } },
    // Simulated time passes while a store works, so on a busy machine a shorter timeout would end before the store responds.
    database: { timeoutMs: 60_000, ...(process.env.DATABASE_URL && { url: process.env.DATABASE_URL }) },
    routing: { maxAttempts: 2, breaker: { failures: 1_000 } },
    limits: { perKey: { concurrency: CONCURRENCY } },
    upstreams: { one: upstream, two: upstream },
    models: [
      {
        id: 'm',
        kind: 'text',
        prices: { input: '1', output: '4' },
        candidates: [{ upstream: 'one' }, { upstream: 'two' }],
      },
    ],
  };
  const file = join(folder, 'modelgate.yaml');
  await writeFile(file, stringify(settings));
  const sink = new Writable({
    write(chunk, _encoding, done) {
      world.log.push(String(chunk));
      done();
    },
  });
  const gateway = await openGateway(loadConfig({ file, port: 0 }, {}), openLog({ log: { level: 'info' } }, sink), {
    MODELGATE_PEPPER: 'ab'.repeat(32),
  });
  const app = await openApp(gateway);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const ledger = gateway.money?.ledger;
  if (!ledger) throw new Error('billing is off');
  world.gate(ledger, ['reserve', 'post', 'void']);
  const newKey = async (account: string, balance: bigint) => {
    const made = await issueKey({ accountName: account, name: 'test' }, { ...gateway.access, now: Date.now, actor: 'test' });
    const { accountId } = made;
    await ledger.adjust({ accountId, transfer: `opening of ${accountId}`, kind: 'top_up', amount: balance, note: null, at: Date.now() });
    return made;
  };
  return {
    // A listening TCP server has an address with a port.
    origin: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    gateway,
    ledger,
    vendor,
    newKey,
    async close() {
      app.server.closeAllConnections();
      await world.result(app.close().then(() => gateway.close()));
      await vendor.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
