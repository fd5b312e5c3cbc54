/** Lingering close: after a refusal, discards the rest of the body for a while, so that the caller reads the answer instead of a connection reset. */
import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';

/** Counted from the last byte of the answer; a caller who reads has it long before. */
const LINGER_MS = 1_000;
/** Bytes that are read and discarded; after them reading stops, and the rest stays in the caller's buffers. */
const MOST_DROPPED = 32 * 1_048_576;
/** A body announced as no longer than this is read to its end, so that the connection can be reused, unless it takes longer than `LINGER_MS`. */
const MOST_READ_THROUGH = 4 * 1_048_576;
const TOO_LARGE = 413;

/** Prepares the lingering close of a refused request. Call it before the headers are sent. */
export function lingerIfUnread(reply: FastifyReply, status: number): void {
  const { raw } = reply.request;
  if (!isBodyComing(raw)) return;
  if (status !== TOO_LARGE && Number(raw.headers['content-length']) <= MOST_READ_THROUGH) reply.raw.once('finish', () => endIfSlow(raw));
  else reply.header('connection', 'close');
  // Node calls this after the last answer of a connection. Its own version closes with bytes unread; TCP answers that with a reset, which
  // deletes what the caller has not read yet.
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
  // The rest is not a request, so the HTTP parser must not see it.
  for (const event of ['data', 'end']) socket.removeAllListeners(event);
  socket.on('data', ({ length }: Buffer) => {
    dropped += length;
    socket.pause();
    if (dropped <= MOST_DROPPED) goOnLater(socket);
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
const MOST_IN_A_TURN = 8;

function goOnLater(socket: Socket): void {
  if (dropping.size === 0) setImmediate(goOn);
  dropping.add(socket);
}

function goOn(): void {
  let count = 0;
  for (const socket of dropping) {
    if (count++ === MOST_IN_A_TURN) break;
    dropping.delete(socket);
    socket.resume();
  }
  if (dropping.size > 0) setImmediate(goOn);
}
