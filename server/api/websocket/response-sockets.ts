/** The WebSocket connections of a process: accepts upgrades of `GET /v1/responses`, and closes connections whose key was revoked or whose client disconnected. */

import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { contract } from '../../../contract/index.ts';
import type { Principal } from '../../access/principal.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import { toGatewayError } from '../../primitives/errors.ts';
import { createRequestId } from '../../primitives/request-id.ts';
import { recordBrokenRequest } from '../http/call-record.ts';
import { writeErrorToSocket } from '../http/errors.ts';
import { AbandonedTurns } from './abandoned-turns.ts';
import { ResponseSocket } from './response-socket.ts';
import { UnsavedBytes, UnsavedResponses } from './unsaved-responses.ts';

/** Maximum bytes of conversations with `store: false`, per connection and per process. */
const MAX_UNSAVED_BYTES = 16 * 1024 * 1024;
const MAX_UNSAVED_BYTES_OF_PROCESS = 256 * 1024 * 1024;
/** Half of the time until a revoked key has no effect; the other half is the cache of keys. */
const CHECK_INTERVAL_MS = 1_000;
/** Keeps proxies from closing an idle connection. */
const CHECKS_PER_PING = 30;
/** A shutdown closes connections spread over this time, so that clients don't all reconnect simultaneously. */
const CLOSE_SPREAD_MS = 1_000;

/** Close codes (RFC 6455, 7.4.1). */
const POLICY_VIOLATION = 1008;

interface OpenConnection {
  readonly socket: WebSocket;
  readonly responses: ResponseSocket;
  readonly upgrade: IncomingMessage;
  /** Whether the client has responded to the last ping. */
  isAlive: boolean;
}

interface NewConnection {
  readonly request: IncomingMessage;
  readonly principal: Principal;
  readonly socket: Socket;
  readonly webSocket: WebSocket;
}

export class ResponseSockets {
  readonly #gateway: Gateway;
  readonly #isOverloaded: () => boolean;
  readonly #webSockets: WebSocketServer;
  readonly #connections = new Set<OpenConnection>();
  readonly #unsavedBytes = new UnsavedBytes(MAX_UNSAVED_BYTES_OF_PROCESS);
  readonly #abandoned = new AbandonedTurns();
  #timer: NodeJS.Timeout | undefined;
  #checks = 0;
  #isStopping = false;

  constructor(gateway: Gateway, isOverloaded: () => boolean) {
    this.#gateway = gateway;
    this.#isOverloaded = isOverloaded;
    // Compression would cost more memory per connection than everything else.
    this.#webSockets = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: gateway.config.server.bodyLimitBytes,
    });
    this.#webSockets.on('headers', (headers) => headers.push(`x-request-id: ${createRequestId()}`));
  }

  /** Whether to upgrade a request to a WebSocket. Otherwise, it gets 426, after which Codex uses HTTP immediately. */
  canUpgrade({ method, url, headers }: IncomingMessage): boolean {
    return (
      method === 'GET' &&
      url?.split('?')[0] === contract.createResponse.path &&
      headers.upgrade?.toLowerCase() === 'websocket' &&
      this.#connections.size < this.#gateway.config.server.maxWebSockets &&
      !this.#isStopping &&
      !this.#isOverloaded()
    );
  }

  attach(server: Server): void {
    server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => void this.#accept(server, { request, socket, head }));
  }

  /** Lets turns end, and closes all connections. */
  stop(): void {
    this.#isStopping = true;
    clearInterval(this.#timer);
    this.#abandoned.close();
    for (const { responses } of this.#connections) setTimeout(() => responses.stop(), Math.random() * CLOSE_SPREAD_MS);
  }

  async #accept(
    server: Server,
    { request, socket, head }: { readonly request: IncomingMessage; readonly socket: Socket; readonly head: Buffer },
  ): Promise<void> {
    const gateway = this.#gateway;
    const ignoreError = (): void => undefined;
    socket.on('error', ignoreError);
    let principal: Principal;
    try {
      principal = await gateway.authenticator.authenticate(request.headers.authorization, request);
    } catch (thrown) {
      const error = toGatewayError(thrown);
      return recordBrokenRequest(gateway, writeErrorToSocket(error, socket), error);
    }
    socket.off('error', ignoreError);
    this.#webSockets.handleUpgrade(request, socket, head, (webSocket) => this.#add(server, { request, principal, socket, webSocket }));
  }

  #add(server: Server, { request, principal: { keyId, accountId }, socket: raw, webSocket }: NewConnection): void {
    const unsaved = new UnsavedResponses(MAX_UNSAVED_BYTES, this.#unsavedBytes);
    const responses = new ResponseSocket({
      socket: webSocket,
      raw,
      upgrade: request,
      gateway: this.#gateway,
      server,
      unsaved,
      keyId,
      abandoned: this.#abandoned,
    });
    const connection: OpenConnection = { socket: webSocket, responses, upgrade: request, isAlive: true };
    this.#connections.add(connection);
    this.#gateway.webSockets.add(webSocket);
    webSocket.on('pong', () => {
      connection.isAlive = true;
    });
    const openedAt = performance.now();
    webSocket.once('close', (code) => {
      const durationMs = Math.round(performance.now() - openedAt);
      this.#gateway.log.info({ keyId, accountId, code, turns: responses.turns, durationMs }, 'WebSocket closed');
      this.#connections.delete(connection);
      this.#gateway.webSockets.delete(webSocket);
      if (this.#connections.size === 0) this.#timer = void clearInterval(this.#timer);
    });
    this.#timer ??= setInterval(() => this.#check(), CHECK_INTERVAL_MS).unref();
    if (this.#isStopping) responses.stop();
  }

  #check(): void {
    const isPingDue = ++this.#checks % CHECKS_PER_PING === 0;
    for (const connection of this.#connections) {
      if (isPingDue) ping(connection);
      void this.#authenticate(connection);
    }
  }

  /** Closes a connection whose key was revoked, has expired, or can no longer be used from this address. */
  async #authenticate({ socket, upgrade }: OpenConnection): Promise<void> {
    try {
      await this.#gateway.authenticator.authenticate(upgrade.headers.authorization, upgrade);
    } catch (thrown) {
      const { status, message } = toGatewayError(thrown);
      // If the store is down, keys stay valid.
      if (status < 500) socket.close(POLICY_VIOLATION, message.slice(0, 120));
    }
  }
}

function ping(connection: OpenConnection): void {
  const { socket, isAlive } = connection;
  connection.isAlive = false;
  // A paused connection doesn't read pongs either.
  if (isAlive || socket.isPaused) socket.ping(() => undefined);
  else socket.terminate();
}
