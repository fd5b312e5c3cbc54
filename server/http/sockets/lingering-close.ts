/** Ends a connection whose request was refused while its body was still coming, so that the answer is read and not lost to a reset (status 401, 413, 415). */
import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';

/** From the last byte of the answer on; a caller who reads gets it long before. */
const LINGER_MS = 1_000;
/** As much is read and dropped; what is more waits in the caller's own buffers. */
const MOST_DROPPED = 32 * 1_048_576;
/** A body that is announced to be no longer is read through, and the connection can be used again, if it comes as fast. */
const MOST_READ_THROUGH = 4 * 1_048_576;
const TOO_LARGE = 413;

/** Has to be called ahead of the headers. */
export function lingerIfUnread(reply: FastifyReply, status: number): void {
  const { raw } = reply.request;
  if (!isBodyComing(raw)) return;
  if (status !== TOO_LARGE && Number(raw.headers['content-length']) <= MOST_READ_THROUGH) reply.raw.once('finish', () => endIfSlow(raw));
  else reply.header('connection', 'close');
  // Node calls this after an answer that is the last one. Its own way closes with bytes unread, to which TCP answers by a reset, and a
  // reset takes away what the caller has not read yet.
  raw.socket.destroySoon = () => linger(raw.socket);
}

/** A request that is handed in without a network has no connection to close. */
const isBodyComing = ({ complete, headers, socket }: IncomingMessage): boolean =>
  !complete && socket instanceof Socket && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0);

/** Node reads the rest by itself, for as long as it takes. */
function endIfSlow(raw: IncomingMessage): void {
  if (raw.complete) return;
  const timer = setTimeout(() => raw.complete || raw.socket.destroy(), LINGER_MS).unref();
  raw.once('close', () => clearTimeout(timer));
}

/** Says a last word and that nothing more is sent, and drops what still comes until the caller closes, too, or the time is over. */
export function linger(socket: Socket, lastWord = ''): void {
  let dropped = 0;
  // Nothing of it is a request any more, so no parser may see it.
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

/** Connections whose next piece is dropped in a later turn of the event loop: by itself Node takes up to 32 pieces of each before anybody else has a turn. */
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
