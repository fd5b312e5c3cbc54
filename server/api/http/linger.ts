/**
 * Closes connections with a linger: after a rejection, it discards the remaining body for a while, so that the client reads the response instead of a reset.
 */

import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';

/** Counted from the last byte of the response. A caller that reads receives the response long before. */
const LINGER_MS = 1_000;

/** Maximum bytes to read and discard. After that, reading stops and the remainder stays in the caller's buffers. */
const MAX_DISCARDED_BYTES = 32 * 1_048_576;

/** A body with at most this announced length is read to its end within `LINGER_MS`, so that the connection can be reused. */
const MAX_DRAINED_BYTES = 4 * 1_048_576;

const CONTENT_TOO_LARGE = 413;

/** Prepares the lingering close of a rejected request. Call it before the headers are sent. */
export function lingerIfUnread(reply: FastifyReply, status: number): void {
  const { raw } = reply.request;
  if (!isBodyComing(raw)) return;
  if (status !== CONTENT_TOO_LARGE && Number(raw.headers['content-length']) <= MAX_DRAINED_BYTES)
    reply.raw.once('finish', () => closeIfSlow(raw));
  else reply.header('connection', 'close');
  // Node calls this after a connection's last response. Its own version closes with bytes unread; TCP then sends a reset, which deletes what the caller
  // hasn't read yet.
  raw.socket.destroySoon = () => linger(raw.socket);
}

/** Whether the caller still sends the body. An injected request has no network connection to close. */
const isBodyComing = ({ complete, headers, socket }: IncomingMessage): boolean =>
  !complete && socket instanceof Socket && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0);

/** Node reads the remaining body without a time limit. This sets one. */
function closeIfSlow(raw: IncomingMessage): void {
  if (raw.complete) return;
  const timer = setTimeout(() => raw.complete || raw.socket.destroy(), LINGER_MS).unref();
  raw.once('close', () => clearTimeout(timer));
}

/** Sends `finalResponse`, closes our side, and discards arriving data until the caller closes its side or the time is up. */
export function linger(socket: Socket, finalResponse = ''): void {
  let discardedBytes = 0;
  // The remaining data isn't a request, so the HTTP parser must not see it.
  for (const event of ['data', 'end']) socket.removeAllListeners(event);
  socket.on('data', ({ length }: Buffer) => {
    discardedBytes += length;
    socket.pause();
    if (discardedBytes <= MAX_DISCARDED_BYTES) scheduleResume(socket);
  });
  socket.once('end', () => socket.destroy());
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => {
    clearTimeout(timer);
    drainingSockets.delete(socket);
  });
  socket.end(finalResponse);
  socket.resume();
}

/** Connections that resume in a later event-loop turn: Node would read up to 32 chunks of one connection before it serves another. */
const drainingSockets = new Set<Socket>();

const MAX_RESUMES_PER_TURN = 8;

function scheduleResume(socket: Socket): void {
  if (drainingSockets.size === 0) setImmediate(resumeSockets);
  drainingSockets.add(socket);
}

function resumeSockets(): void {
  let count = 0;
  for (const socket of drainingSockets) {
    if (count++ === MAX_RESUMES_PER_TURN) break;
    drainingSockets.delete(socket);
    socket.resume();
  }
  if (drainingSockets.size > 0) setImmediate(resumeSockets);
}
