/** A proxy in front of a gateway that changes single answers, to imitate a deployment that breaks the contract. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Passing {
  readonly method: string;
  /** Path below the origin, such as `/v1/models`. */
  readonly path: string;
  readonly asked: string;
  readonly hasKey: boolean;
  status: number;
  readonly headers: Map<string, string>;
  body: string;
}

/** Changes an answer before the proxy returns it. */
export type ChangeAnswer = (answer: Passing) => void;

export interface ChangingProxy {
  readonly origin: string;
  spoil: ChangeAnswer;
  close(): Promise<void>;
}

export async function openChangingProxy(gatewayOrigin: string): Promise<ChangingProxy> {
  const spoiler = { origin: '', spoil: (() => undefined) as ChangeAnswer };
  const server = createServer((request, response) => {
    pass(request, response, { gatewayOrigin, spoil: (answer) => spoiler.spoil(answer) }).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A listening TCP server has an address with a port.
  spoiler.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(spoiler, {
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  });
}

const ENDS_HERE = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive', 'date']);

async function pass(
  request: IncomingMessage,
  response: ServerResponse,
  { gatewayOrigin, spoil }: { gatewayOrigin: string; spoil: ChangeAnswer },
) {
  const asked = await text(request);
  const { method = 'GET', url: path = '/' } = request;
  const headers = Object.entries(request.headers).filter(([name]) => !ENDS_HERE.has(name));
  const sent = headers.map(([name, value]): [string, string] => [name, String(value)]);
  const answer = await fetch(`${gatewayOrigin}${path}`, { method, headers: sent, ...(asked !== '' && { body: asked }) });
  const kept = new Map([...answer.headers].filter(([name]) => !ENDS_HERE.has(name)));
  const passing: Passing = {
    method,
    path,
    asked,
    hasKey: request.headers.authorization !== undefined,
    status: answer.status,
    headers: kept,
    body: await answer.text(),
  };
  spoil(passing);
  response.writeHead(passing.status, Object.fromEntries(passing.headers)).end(passing.body);
}
