/** Finds out whether a caller who closed its sending side still reads: a reader gets the whole answer, a disconnect ends the request (promise G6). */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { HEARTBEAT } from '../../dialects/wire/frames.ts';

/**
 * Both cases look the same until something is sent: the machine of a disconnected caller answers it with a reset, which the next write reports. So
 * we send bytes without meaning, first in short intervals for callers nearby, then in longer ones for those far away. Milliseconds between probes.
 */
const PAUSES_MS = [20, 40, 60, 80, 200, 600];
const LONGEST_PAUSE_MS = 5_000;

export function goOnHalfClosed(server: Server): void {
  // Without this option Node closes our side when the caller closes its own. Node's types do not have the property.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('connection', (socket) => socket.on('end', () => probe(socket)));
}

/** Node keeps the response that a socket currently carries in this private field; it offers no other way to ask. */
function probe(socket: Socket & { _httpMessage?: ServerResponse | null }): void {
  const response = socket._httpMessage;
  if (!response) return;
  if (response.req.httpVersion === '1.0') {
    // HTTP/1.0 has no interim responses: nothing may be sent before the answer.
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

/** Bytes without meaning for answers that are not event streams. */
const fillings = new WeakMap<ServerResponse, string>();

/** Sets the probe of an answer that is not an event stream: `filling` must have no meaning after any complete piece of it. */
export function askBy(response: ServerResponse, filling: string): void {
  fillings.set(response, filling);
}

function ask(response: ServerResponse): void {
  if (response.destroyed || response.writableEnded) return;
  // Any number of interim responses may come before an answer (RFC 9110, 15.2), and any number of comments between two events.
  if (!response.headersSent) response.writeContinue();
  else if (fillings.has(response)) response.write(fillings.get(response));
  else if (String(response.getHeader('content-type')).startsWith('text/event-stream')) response.write(HEARTBEAT);
}
