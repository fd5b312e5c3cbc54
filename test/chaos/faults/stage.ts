/** Opens a gateway with a model for each case, so that each has its own concurrency slot and circuit breaker, over a fake vendor that follows the cases. */
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { Quantity } from '../../../server/limits/limiter.ts';
import type { LedgerStore } from '../../../server/money/store.ts';
import { type Fake, openFake, refusedUrl } from '../../fakes/upstream.ts';
import { startGateway, type TestGateway } from '../../harness/gateway.ts';
import { waitsOf } from '../../harness/vendor.ts';
import type { Case } from './case.ts';

export interface Stage {
  readonly gateway: TestGateway;
  readonly ledger: LedgerStore;
  readonly fake: Fake;
  /** Makes the call of the case. */
  ask(number: number): Promise<Response>;
  /** The number of requests to the vendor for the case. */
  asked(number: number): number;
  /** Whether the only slot of the case's model is free. */
  isFree(number: number): boolean;
  /** The state of the circuit breaker by case: `open` after one failure, or `closed`. */
  health(): ReadonlyMap<number, string>;
  close(): Promise<void>;
}

const modelOf = (number: number): string => `case-${number}`;
const numberOf = (model: string): number => Number(model.slice('case-'.length));
/** A new object each time: YAML would write the same object twice as an alias. */
const pricesOf = () => ({ input: '1', cachedInput: '0.1', cacheWrite: '1.25', output: '4' });

export async function openStage(cases: readonly Case[]): Promise<Stage> {
  const fake = await openFake();
  const hole = await openHole();
  const counts = new Map<number, number>();
  fake.always(({ fields }) => {
    const number = numberOf(String(fields.model));
    const found = cases[number];
    if (!found) throw new Error(`nobody expected to be asked for ${fields.model}`);
    counts.set(number, (counts.get(number) ?? 0) + 1);
    return found.script;
  });
  const place = (baseUrl: string, more: object = {}) => ({ kind: 'openai', baseUrl, apiKey: 'sk-vendor', ...more });
  const gateway = await startGateway({
    validateResponses: false,
    upstreams: {
      patient: place(fake.url),
      'hasty-for-headers': place(fake.url, waitsOf({ headersMs: 1_000 })),
      'hasty-for-events': place(fake.url, waitsOf({ firstEventMs: 1_000 })),
      nowhere: place(await refusedUrl()),
      hole: place(hole.url, waitsOf({ headersMs: 1_000 })),
    },
    models: cases.map(({ upstream }, number) => ({
      id: modelOf(number),
      kind: 'text',
      upstream,
      limits: { concurrency: 1 },
      prices: pricesOf(),
    })),
    routing: { maxAttempts: 1, breaker: { failures: 1 } },
  });
  const ledger = gateway.gateway.money?.ledger;
  if (!ledger) throw new Error('billing is off');
  return {
    gateway,
    ledger,
    fake,
    ask: (number) => ask(gateway, cases, number),
    asked: (number) => counts.get(number) ?? 0,
    isFree: (number) => isFree(gateway, modelOf(number)),
    health: () => new Map(gateway.gateway.health.getStates().map(({ upstreamModel, state }) => [numberOf(upstreamModel), state])),
    async close() {
      await gateway.close();
      await fake.close();
      await hole.close();
    },
  };
}

function ask(gateway: TestGateway, cases: readonly Case[], number: number): Promise<Response> {
  const door = cases[number]?.door;
  if (!door) throw new Error(`there is no case ${number}`);
  const { protocol, isStream } = door;
  const json = { ...protocol.ask, ...(isStream && protocol.streamed), model: modelOf(number) };
  return gateway.call(protocol.path, { method: 'POST', json });
}

/** Whether the one slot of the model can be taken. */
function isFree({ gateway }: TestGateway, subject: string): boolean {
  const quantities: readonly Quantity[] = ['concurrency'];
  const limit = { scope: 'model', subject, quantity: 'concurrency', most: 1, mode: 'enforce' } as const;
  const take = { requestId: 'look', limits: [limit], tokens: 0, quantities };
  const taken = gateway.limits.acquire(take);
  if (taken instanceof Promise) throw new Error('these limits are not counted here');
  if (taken.kind === 'rejected') return false;
  void gateway.limits.finish(take, 0);
  return true;
}

interface Hole {
  readonly url: string;
  close(): Promise<void>;
}

/** Opens a server that accepts connections, reads from them and never answers. */
async function openHole(): Promise<Hole> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => void sockets.add(socket.on('error', () => undefined).resume()));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  // `as`: a server that listens on TCP has an address of this kind.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}
