/** Probes connections that the client has half closed, to detect whether the client is gone. */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { HEARTBEAT } from '../../protocols/wire/frames.ts';
import { MAX_PAUSE_MS } from './stalled-sockets.ts';

/**
 * Half-closed and disconnected clients look the same until we send something: a disconnected client's machine responds with a reset, which the next write
 * reports. So we send meaningless bytes, first at short intervals for nearby clients, then at longer ones for distant clients. Milliseconds between
 * probes.
 */
const PROBE_DELAYS_MS = [20, 40, 60, 80, 200, 600];

export function probeHalfClosed(server: Server): void {
  // Without this option, Node closes our side when the caller closes its own. Node's types lack the property.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('connection', (socket) => socket.on('end', () => probeSocket(socket)));
}

/** Node keeps the socket's current response in this private field and has no public API for it. */
function probeSocket(socket: Socket & { _httpMessage?: ServerResponse | null }): void {
  const response = socket._httpMessage;
  if (!response) return;
  if (response.req.httpVersion === '1.0') {
    // HTTP/1.0 has no interim responses, so nothing can be sent before the response.
    socket.destroy();
    return;
  }
  let probeCount = 0;
  let timer: NodeJS.Timeout | undefined;
  const probeAgain = (): void => {
    sendProbe(response);
    timer = setTimeout(probeAgain, PROBE_DELAYS_MS[probeCount++] ?? MAX_PAUSE_MS);
  };
  probeAgain();
  response.once('close', () => clearTimeout(timer));
}

/** Meaningless bytes for responses that aren't event streams. */
const probeFillers = new WeakMap<ServerResponse, string>();

/** Sets the probe bytes of a response that isn't an event stream. `filler` must be meaningless after any complete piece of the response. */
export function setProbeFiller(response: ServerResponse, filler: string): void {
  probeFillers.set(response, filler);
}

function sendProbe(response: ServerResponse): void {
  if (response.destroyed || response.writableEnded) return;
  // Any number of interim responses can precede a response (RFC 9110, 15.2), and any number of comments can come between events.
  if (!response.headersSent) response.writeContinue();
  else if (probeFillers.has(response)) response.write(probeFillers.get(response));
  else if (String(response.getHeader('content-type')).startsWith('text/event-stream')) response.write(HEARTBEAT);
}
