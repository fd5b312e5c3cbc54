/** A receiver of webhooks over real HTTP. It records messages and answers as a test tells it. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Delivered {
  readonly id: string;
  readonly type: string;
  /** The `data` of the body. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly headers: IncomingMessage['headers'];
}

/** A status, or another treatment of the request. */
export type Reaction = number | ((request: IncomingMessage, response: ServerResponse) => void);

export interface Receiver {
  readonly url: string;
  readonly came: Delivered[];
  /** Answers to the next requests, in order; all later ones get 204. */
  next(...reactions: readonly Reaction[]): void;
  close(): Promise<void>;
}

/** A valid secret that is used only in tests. */
export const receiverSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** The signature that a receiver computes from a message. */
export function signatureOf({ headers, body }: Pick<Delivered, 'headers' | 'body'>, secret = receiverSecret): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}

export async function openReceiver(): Promise<Receiver> {
  const came: Delivered[] = [];
  const reactions: Reaction[] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    // `as`: the gateway sends JSON with these fields, or the tests fail.
    const { type, data } = JSON.parse(body) as Pick<Delivered, 'type' | 'data'>;
    came.push({ id: String(request.headers['webhook-id']), type, data, body, headers: request.headers });
    const reaction = reactions.shift() ?? 204;
    if (typeof reaction === 'number') response.writeHead(reaction).end();
    else reaction(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A listening TCP server has an address with a port.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook?token=in-the-address`,
    came,
    next: (...more) => void reactions.push(...more),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
