/** Gateways in the states in which the errors of the contract arise, each opened when it is first needed. */
import { connect, type Socket } from 'node:net';
import type { OperationName } from '../../../contract/operation-errors.ts';
import { type Fake, openFake } from '../../fakes/upstream.ts';
import { startGateway, type TestGateway } from '../../harness/gateway.ts';
import { type RawAnswer, request, talkInTurn } from '../../harness/raw.ts';
import { type BehindVendor, openBehindVendor } from '../../harness/vendor.ts';
import { type Asked, asks } from './asks.ts';

/** What a caller changes of a good request. */
export interface Change {
  readonly key?: string | null;
  /** Fields of the body. */
  readonly json?: object;
  readonly body?: string;
  /** Behind the address: a query. */
  readonly query?: string;
  /** In place of the id in the address. */
  readonly id?: string;
  readonly headers?: Record<string, string>;
}

export class Stage {
  #vendor: Promise<BehindVendor> | null = null;
  readonly #opened = new Map<string, Promise<TestGateway>>();
  readonly #fakes: Fake[] = [];
  readonly #sockets: Socket[] = [];
  #accounts = 0;

  /** In front of a vendor that does as it is told. */
  vendor(): Promise<BehindVendor> {
    this.#vendor ??= openBehindVendor();
    return this.#vendor;
  }

  async plain(): Promise<TestGateway> {
    return (await this.vendor()).gateway;
  }

  /** With settings of its own, which are the same wherever the name is. */
  gateway(name: string, settings: Record<string, unknown> = {}): Promise<TestGateway> {
    const known = this.#opened.get(name);
    if (known) return known;
    const opening = startGateway(settings);
    this.#opened.set(name, opening);
    return opening;
  }

  /** A vendor of its own, that is gone with the stage. */
  async openFake(): Promise<Fake> {
    const fake = await openFake();
    this.#fakes.push(fake);
    return fake;
  }

  /** A name that no account has yet. */
  newAccount(): string {
    return `account ${++this.#accounts}`;
  }

  connect(gateway: TestGateway): Socket {
    const socket = connect(Number(new URL(gateway.origin).port), '127.0.0.1').on('error', () => undefined);
    this.#sockets.push(socket);
    return socket;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await (await this.#vendor)?.close();
    for (const gateway of this.#opened.values()) await (await gateway).close();
    for (const fake of this.#fakes) await fake.close();
  }
}

const addressOf = ({ path }: Asked, { id, query = '' }: Change): string => `${path.replace('ID', id ?? 'resp_1')}${query}`;

/** The good request of an operation with a change in it. */
export function ask(gateway: TestGateway, operation: OperationName, change: Change = {}): Promise<Response> {
  const asked = asks[operation];
  const { key = gateway.key, body = asked.json && JSON.stringify({ ...asked.json, ...change.json }) } = change;
  return fetch(`${gateway.origin}${addressOf(asked, change)}`, {
    method: asked.method,
    headers: {
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...change.headers,
    },
    ...(body !== undefined && { body }),
  });
}

/** Request line and headers of the operation, as they go over the wire. */
export function headOf(gateway: Pick<TestGateway, 'key'>, operation: OperationName, more: readonly string[] = []): string[] {
  const asked = asks[operation];
  return [`${asked.method} ${addressOf(asked, {})} HTTP/1.1`, `authorization: Bearer ${gateway.key}`, ...more];
}

/** What answers these bytes; a second request ends the connection. */
export async function talkFirst(gateway: TestGateway, bytes: Buffer | string): Promise<RawAnswer> {
  const [first] = await talkInTurn(gateway.origin, bytes, request(['GET /livez HTTP/1.1', 'connection: close']));
  if (!first) throw new Error('no answer');
  return first;
}
