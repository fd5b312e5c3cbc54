/** Gateways in the states that the errors of the contract need, each opened when it is first used. */
import { connect, type Socket } from 'node:net';
import type { OperationName } from '../../../contract/operation-errors.ts';
import { type Fake, openFake } from '../../fakes/upstream.ts';
import { startGateway, type TestGateway } from '../../harness/gateway.ts';
import { type RawAnswer, request, talkInTurn } from '../../harness/raw.ts';
import { type BehindVendor, openBehindVendor } from '../../harness/vendor.ts';
import { type Asked, asks } from './asks.ts';

/** Changes of a valid request. */
export interface Change {
  readonly key?: string | null;
  /** Fields of the body. */
  readonly json?: object;
  readonly body?: string;
  /** The query, with its question mark. */
  readonly query?: string;
  /** Instead of the id in the path. */
  readonly id?: string;
  readonly headers?: Record<string, string>;
}

export class Stage {
  #vendor: Promise<BehindVendor> | null = null;
  readonly #opened = new Map<string, Promise<TestGateway>>();
  readonly #fakes: Fake[] = [];
  readonly #sockets: Socket[] = [];
  #accounts = 0;

  /** A gateway in front of a scripted vendor. */
  vendor(): Promise<BehindVendor> {
    this.#vendor ??= openBehindVendor();
    return this.#vendor;
  }

  async plain(): Promise<TestGateway> {
    return (await this.vendor()).gateway;
  }

  /** A gateway with its own settings, which must be the same for the same name. */
  gateway(name: string, settings: Record<string, unknown> = {}): Promise<TestGateway> {
    const known = this.#opened.get(name);
    if (known) return known;
    const opening = startGateway(settings);
    this.#opened.set(name, opening);
    return opening;
  }

  /** Another vendor, which closes with the stage. */
  async openFake(): Promise<Fake> {
    const fake = await openFake();
    this.#fakes.push(fake);
    return fake;
  }

  /** A new account name. */
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

/** Sends the valid request of an operation with a change. */
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

/** The request line and headers of the operation, as on the wire. */
export function headOf(gateway: Pick<TestGateway, 'key'>, operation: OperationName, more: readonly string[] = []): string[] {
  const asked = asks[operation];
  return [`${asked.method} ${addressOf(asked, {})} HTTP/1.1`, `authorization: Bearer ${gateway.key}`, ...more];
}

/** The answer to these bytes; a second request ends the connection. */
export async function talkFirst(gateway: TestGateway, bytes: Buffer | string): Promise<RawAnswer> {
  const [first] = await talkInTurn(gateway.origin, bytes, request(['GET /livez HTTP/1.1', 'connection: close']));
  if (!first) throw new Error('no answer');
  return first;
}
