/** A real HTTP server for the tests of the client: it answers as told and records its requests. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { type ClientOptions, Modelgate } from '../../../client/sdk/src/index.ts';

export interface Asked {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** The caller's port, which tells connections apart. */
  readonly port: number | undefined;
  /** Resolves when the connection is closed before the answer was complete. */
  readonly hungUp: Promise<void>;
}

export type Answering = (response: ServerResponse, asked: Asked) => unknown;

export interface TestServer {
  readonly baseURL: string;
  readonly asked: Asked[];
  /** A client of this server. */
  readonly connect: (options?: ClientOptions) => Modelgate;
}

async function read(request: IncomingMessage, response: ServerResponse): Promise<Asked> {
  const { method, url, headers } = request;
  const hungUp = new Promise<void>((resolve) => {
    response.once('close', () => !response.writableFinished && resolve());
  });
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  return { method, url, headers, body: Buffer.concat(pieces), port: request.socket.remotePort, hungUp };
}

/** Answers the first request as the first argument says, and so on; the last one also answers all that follow. */
export async function openServer(...answers: [Answering, ...Answering[]]): Promise<TestServer> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const what = await read(request, response);
    const answering = answers[Math.min(asked.push(what), answers.length) - 1];
    await answering?.(response, what);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  // A listening TCP server has an object as its address.
  const { port } = server.address() as AddressInfo;
  const baseURL = `http://127.0.0.1:${port}/v1`;
  return { baseURL, asked, connect: (options) => new Modelgate({ baseURL, apiKey: 'mg-test', ...options }) };
}

/** A JSON answer. */
export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answering =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

/** An error answer of the gateway. */
export const failure = (status: number, error: Record<string, unknown>, headers: Record<string, string> = {}): Answering =>
  json(status, { error: { message: 'No.', type: 'server_error', param: null, code: null, ...error } }, headers);

/** A stream of these bytes, which then ends. */
export const stream =
  (...pieces: (string | Uint8Array)[]): Answering =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-request-id': 'req_stream' });
    for (const piece of pieces) response.write(piece);
    response.end();
  };

/** A stream that begins with these bytes and then stays open. */
export const openStream =
  (...pieces: string[]): Answering =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const piece of pieces) response.write(piece);
  };

/** The frame of one event. */
export const frame = (event: unknown): string => `data: ${JSON.stringify(event)}\n\n`;

export async function collect<Event>(events: AsyncIterable<Event>): Promise<Event[]> {
  const all: Event[] = [];
  for await (const event of events) all.push(event);
  return all;
}
