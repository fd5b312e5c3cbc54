/** Callers who have ended their side of the connection: who still reads gets the answer whole, who has left ends the request (promise G6). */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { HEARTBEAT } from '../../dialects/wire/frames.ts';

/**
 * Both look the same from here, until something is sent: a machine whose caller has left answers that with a reset, which the sending after
 * it comes upon. So something is sent that means nothing: soon enough for callers nearby, often enough for those far away. The pauses
 * between, in milliseconds.
 */
const PAUSES_MS = [20, 40, 60, 80, 200, 600];
const LONGEST_PAUSE_MS = 5_000;

export function goOnHalfClosed(server: Server): void {
  // Node has this property since its first versions, though its types do not: without it, the end of the one side is that of the other.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('connection', (socket) => socket.on('end', () => probe(socket)));
}

/** Node keeps the response that a socket carries at the moment there, and offers no other way to ask. */
function probe(socket: Socket & { _httpMessage?: ServerResponse | null }): void {
  const response = socket._httpMessage;
  if (!response) return;
  if (response.req.httpVersion === '1.0') {
    // To such a caller nothing may be sent ahead of the answer.
    socket.destroy();
    return;
  }
  let count = 0;
  let timer: NodeJS.Timeout | undefined;
  const next = (): void => {
    ask(response);
    timer = setTimeout(next, PAUSES_MS[count++] ?? LONGEST_PAUSE_MS);
  };
  next();
  response.once('close', () => clearTimeout(timer));
}

/** What may stand between two pieces of an answer whose type does not say it. */
const fillings = new WeakMap<ServerResponse, string>();

/** For an answer in another form than events: `filling` means nothing wherever one piece of it has ended. */
export function askBy(response: ServerResponse, filling: string): void {
  fillings.set(response, filling);
}

function ask(response: ServerResponse): void {
  if (response.destroyed || response.writableEnded) return;
  // Any number of these may stand ahead of an answer (RFC 9110, 15.2), and of those between two events.
  if (!response.headersSent) response.writeContinue();
  else if (fillings.has(response)) response.write(fillings.get(response));
  else if (String(response.getHeader('content-type')).startsWith('text/event-stream')) response.write(HEARTBEAT);
}
