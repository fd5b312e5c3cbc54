/** A load balancer for trials and tests of many gateways: round robin over those that are ready; bodies and streams are forwarded as they arrive. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { GatewayError } from '../../../server/primitives/errors.ts';

export interface Balancer {
  /** Where callers go, without a path. */
  readonly origin: string;
  /** Origins of those that said so when they were asked last. */
  readonly ready: readonly string[];
  /** Takes no more connections; what runs goes on. */
  refuse(): void;
  close(): Promise<void>;
}

export interface BalancerOptions {
  /** Origins of the gateways, asked for at each turn: one that starts again may have another port. */
  readonly targets: () => readonly string[];
  /** 0 takes any free one. */
  readonly port?: number;
}

const checkEveryMs = 100;
/** For a gateway that hangs. Long, because a gateway on a busy machine answers late and is still ready. */
const checkMs = 30_000;
const connectMs = 30_000;

export async function openBalancer({ targets, port = 0 }: BalancerOptions): Promise<Balancer> {
  const ready = new Set<string>();
  let turn = 0;
  const inTurn = (): readonly string[] => {
    const candidates = targets().filter((target) => ready.has(target));
    const first = candidates.length === 0 ? 0 : turn++ % candidates.length;
    return [...candidates.slice(first), ...candidates.slice(0, first)];
  };
  // Image edits may take long to arrive; the gateway limits how long.
  const server = createServer({ requestTimeout: 0, keepAliveTimeout: 75_000 }, (incoming, outgoing) => {
    void pass(incoming, outgoing, { candidates: inTurn(), onDown: (target) => ready.delete(target) });
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  const check = openChecks(ready);
  await check(targets());
  const checking = setInterval(() => void check(targets()), checkEveryMs);
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new TypeError('the balancer has no port');
  let closed: Promise<void> | undefined;
  const refuse = (): Promise<void> => {
    clearInterval(checking);
    closed ??= new Promise((resolve) => server.close(() => resolve()));
    return closed;
  };
  return {
    origin: `http://127.0.0.1:${address.port}`,
    get ready() {
      return [...ready];
    },
    refuse: () => void refuse(),
    async close() {
      const closing = refuse();
      server.closeAllConnections();
      await closing;
    },
  };
}

/** One check at a time for each gateway: a late answer must not overwrite a newer one. */
function openChecks(ready: Set<string>): (targets: readonly string[]) => Promise<void> {
  const asked = new Set<string>();
  const check = async (target: string): Promise<void> => {
    if (asked.has(target)) return;
    asked.add(target);
    if (await isReady(target)) ready.add(target);
    else ready.delete(target);
    asked.delete(target);
  };
  return async (targets) => {
    for (const target of ready) if (!targets.includes(target)) ready.delete(target);
    await Promise.all(targets.map(check));
  };
}

async function isReady(target: string): Promise<boolean> {
  try {
    const answer = await fetch(`${target}/readyz`, { signal: AbortSignal.timeout(checkMs) });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}

interface Course {
  /** In the order in which they are tried. */
  readonly candidates: readonly string[];
  readonly onDown: (target: string) => void;
}

/** Another gateway is tried only before a connection exists: afterwards a gateway may have begun to work, and to charge. */
async function pass(incoming: IncomingMessage, outgoing: ServerResponse, { candidates, onDown }: Course): Promise<void> {
  for (const target of candidates) {
    const socket = await connectTo(target);
    if (socket) return relay(incoming, outgoing, socket);
    onDown(target);
  }
  answer(outgoing, new GatewayError('overloaded', { message: 'No gateway is ready.', headers: { 'retry-after': '1' } }));
}

function connectTo(target: string): Promise<Socket | null> {
  const { hostname, port } = new URL(target);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    const timer = setTimeout(() => socket.destroy(new Error('nobody answers')), connectMs);
    const end = (found: Socket | null): void => {
      clearTimeout(timer);
      resolve(found);
    };
    socket.once('connect', () => end(socket));
    // Later errors belong to the request; without a listener they would end the process.
    socket.on('error', () => end(null));
  });
}

function relay(incoming: IncomingMessage, outgoing: ServerResponse, socket: Socket): void {
  const upward = request({
    method: incoming.method ?? 'GET',
    path: incoming.url ?? '/',
    headers: headersToGateway(incoming),
    createConnection: () => socket,
  });
  // If the caller leaves, the connection to the gateway closes too.
  outgoing.once('close', () => outgoing.writableFinished || upward.destroy());
  upward.on('error', () => fail(outgoing));
  upward.once('response', (response) => {
    outgoing.writeHead(response.statusCode ?? 502, response.statusMessage, headersToCaller(response));
    // The head of a stream is sent before its first event.
    outgoing.flushHeaders();
    // If one side breaks, the other is broken too, so that no cut answer looks complete.
    pipeline(response, outgoing).catch(() => upward.destroy());
  });
  // Not `pipeline`: a gateway that refuses early stops reading, and that must not cut the connection of its answer.
  incoming.pipe(upward);
}

function fail(outgoing: ServerResponse): void {
  if (outgoing.headersSent) outgoing.destroy();
  else answer(outgoing, new GatewayError('upstream_error', { message: 'The gateway that had this request is gone.' }));
}

function answer(outgoing: ServerResponse, { status, body, headers }: GatewayError): void {
  if (outgoing.destroyed) return;
  outgoing.writeHead(status, { ...headers, 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}

/** Headers of one connection, not of the message (RFC 9110, 7.6.1). */
const ofConnection = ['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'upgrade'];

/** `transfer-encoding` stays: without it a body of unknown length would have no end. */
function headersToGateway({ rawHeaders, headers, socket }: IncomingMessage): string[] {
  const said = headers['x-forwarded-for'];
  const callers = [said ?? [], socket.remoteAddress ?? []].flat().join(', ');
  // The balancer has already answered `expect: 100-continue`.
  return [...without(rawHeaders, [...ofConnection, 'expect', 'x-forwarded-for']), 'x-forwarded-for', callers];
}

const headersToCaller = ({ rawHeaders }: IncomingMessage): string[] => without(rawHeaders, [...ofConnection, 'transfer-encoding']);

/** Names and values alternating, as they were received. */
function without(raw: readonly string[], names: readonly string[]): string[] {
  return raw.filter((_, index) => !names.includes(raw[index - (index % 2)]?.toLowerCase() ?? ''));
}
