/** Lingering close: after a refusal, discards the rest of the body for a while, so that the caller reads the response instead of a connection reset. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';
import { HEARTBEAT } from '../dialects/wire/frames.ts';
import { SwapList } from '../primitives/shared-timeout.ts';

/** Counted from the last byte of the response; a caller who reads has it long before. */
const LINGER_MS = 1_000;
/** Bytes that are read and discarded; after them reading stops, and the rest stays in the caller's buffers. */
const MAX_DROPPED = 32 * 1_048_576;
/** A body announced as no longer than this is read to its end, so that the connection can be reused, unless it takes longer than `LINGER_MS`. */
const MAX_READ_THROUGH = 4 * 1_048_576;
const TOO_LARGE = 413;

/** Prepares the lingering close of a rejected request. Call it before the headers are sent. */
export function lingerIfUnread(reply: FastifyReply, status: number): void {
  const { raw } = reply.request;
  if (!isBodyComing(raw)) return;
  if (status !== TOO_LARGE && Number(raw.headers['content-length']) <= MAX_READ_THROUGH) reply.raw.once('finish', () => endIfSlow(raw));
  else reply.header('connection', 'close');
  // Node calls this after the last response of a connection. Its own version closes with bytes unread; TCP answers that with a reset, which
  // deletes what the caller hasn't read yet.
  raw.socket.destroySoon = () => linger(raw.socket);
}

/** Whether the caller still sends the body. A request injected without a network has no connection to close. */
const isBodyComing = ({ complete, headers, socket }: IncomingMessage): boolean =>
  !complete && socket instanceof Socket && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0);

/** Node reads the rest of the body without a time limit: this sets one. */
function endIfSlow(raw: IncomingMessage): void {
  if (raw.complete) return;
  const timer = setTimeout(() => raw.complete || raw.socket.destroy(), LINGER_MS).unref();
  raw.once('close', () => clearTimeout(timer));
}

/** Sends `lastWord`, closes our side, and discards what still arrives until the caller closes its side or the time is over. */
export function linger(socket: Socket, lastWord = ''): void {
  let dropped = 0;
  // The rest isn't a request, so the HTTP parser must not see it.
  for (const event of ['data', 'end']) socket.removeAllListeners(event);
  socket.on('data', ({ length }: Buffer) => {
    dropped += length;
    socket.pause();
    if (dropped <= MAX_DROPPED) goOnLater(socket);
  });
  socket.once('end', () => socket.destroy());
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => {
    clearTimeout(timer);
    dropping.delete(socket);
  });
  socket.end(lastWord);
  socket.resume();
}

/** Connections that read on in a later turn of the event loop: Node would read up to 32 chunks of one connection before it serves another. */
const dropping = new Set<Socket>();
const MAX_PER_TURN = 8;

function goOnLater(socket: Socket): void {
  if (dropping.size === 0) setImmediate(resumeSockets);
  dropping.add(socket);
}

function resumeSockets(): void {
  let count = 0;
  for (const socket of dropping) {
    if (count++ === MAX_PER_TURN) break;
    dropping.delete(socket);
    socket.resume();
  }
  if (dropping.size > 0) setImmediate(resumeSockets);
}

/** Checks of each connection within the timeout: a stalled connection is closed at most two checks late. */
const LOOKS = 4;
const MAX_PAUSE_MS = 5_000;

/** What waited for a caller at the last check. */
interface Look {
  readonly socket: Socket;
  /** Bytes of completed writes; null if nothing waited. */
  written: number | null;
  /** Bytes of the current write that the system hasn't accepted yet. */
  queued: number;
  /** When one of the two last changed, by `performance.now()`. */
  since: number;
}

/**
 * Node's socket timeout doesn't fit: anything that the caller sends resets it, so an empty line now and then would keep a stalled answer open for
 * ever. `afterMs` is called at each check, since a reload may change it.
 */
export function cutStalled(server: Server, afterMs: () => number): void {
  const looks = new SwapList<Look>();
  let timer: NodeJS.Timeout | null = null;
  const plan = (): void => {
    timer = looks.size === 0 ? null : setTimeout(lookAround, Math.min(afterMs() / LOOKS, MAX_PAUSE_MS)).unref();
  };
  const lookAround = (): void => {
    const [now, most] = [performance.now(), afterMs()];
    for (const look of looks) if (stalledMs(look, now) >= most) look.socket.destroy();
    plan();
  };
  server.on('connection', (socket: Socket) => {
    const look = looks.add({ socket, written: null, queued: 0, since: 0 });
    socket.once('close', () => looks.remove(look));
    if (!timer) plan();
  });
}

/** Milliseconds without progress. A slow reader makes progress; while the upstream is silent, nothing waits here. */
function stalledMs(look: Look, now: number): number {
  const { socket } = look;
  const { writableLength } = socket;
  if (writableLength === 0) {
    look.written = null;
    return 0;
  }
  const [written, queued] = [socket.bytesWritten - writableLength, queuedOf(socket)];
  if (written === look.written && queued === look.queued) return now - look.since;
  Object.assign(look, { written, queued, since: now });
  return 0;
}

/** One write may be a complete response. Node counts its remaining bytes in this private field; it offers no other way to ask. */
const queuedOf = ({ _handle: handle }: Socket & { readonly _handle?: { readonly writeQueueSize?: number } | null }): number =>
  handle?.writeQueueSize ?? 0;

/**
 * Both cases look the same until something is sent: the machine of a disconnected caller answers it with a reset, which the next write reports. So
 * we send bytes without meaning, first in short intervals for callers nearby, then in longer ones for those far away. Milliseconds between probes.
 */
const PAUSES_MS = [20, 40, 60, 80, 200, 600];

export function goOnHalfClosed(server: Server): void {
  // Without this option Node closes our side when the caller closes its own. Node's types don't have the property.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('connection', (socket) => socket.on('end', () => probe(socket)));
}

/** Node keeps the response that a socket currently carries in this private field; it offers no other way to ask. */
function probe(socket: Socket & { _httpMessage?: ServerResponse | null }): void {
  const response = socket._httpMessage;
  if (!response) return;
  if (response.req.httpVersion === '1.0') {
    // HTTP/1.0 has no interim responses: nothing may be sent before the response.
    socket.destroy();
    return;
  }
  let count = 0;
  let timer: NodeJS.Timeout | undefined;
  const next = (): void => {
    ask(response);
    timer = setTimeout(next, PAUSES_MS[count++] ?? MAX_PAUSE_MS);
  };
  next();
  response.once('close', () => clearTimeout(timer));
}

/** Bytes without meaning for responses that aren't event streams. */
const fillings = new WeakMap<ServerResponse, string>();

/** Sets the probe of a response that isn't an event stream: `filling` must have no meaning after any complete piece of it. */
export function askBy(response: ServerResponse, filling: string): void {
  fillings.set(response, filling);
}

function ask(response: ServerResponse): void {
  if (response.destroyed || response.writableEnded) return;
  // Any number of interim responses may come before a response (RFC 9110, 15.2), and any number of comments between two events.
  if (!response.headersSent) response.writeContinue();
  else if (fillings.has(response)) response.write(fillings.get(response));
  else if (String(response.getHeader('content-type')).startsWith('text/event-stream')) response.write(HEARTBEAT);
}
