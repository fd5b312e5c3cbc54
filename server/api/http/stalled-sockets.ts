/** Closes sockets whose clients have stopped reading the response. */

import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { SwapList } from '../../primitives/swap-list.ts';

/** Checks per connection within the timeout. A stalled connection is closed at most two checks late. */
const CHECKS_PER_TIMEOUT = 4;
export const MAX_PAUSE_MS = 5_000;

/** The write backlog of a connection at the last check. */
interface SocketSample {
  readonly socket: Socket;
  /** Bytes of completed writes. Null if nothing was waiting. */
  written: number | null;
  /** Bytes of the current write that the operating system hasn't accepted yet. */
  queued: number;
  /** When `written` or `queued` last changed, by `performance.now()`. */
  since: number;
}

/**
 * Node's socket timeout doesn't work here: any received data resets it, so an occasional empty line would keep a stalled response open forever.
 * `getTimeoutMs` is called at each check, since a reload may change it.
 */
export function closeStalledSockets(server: Server, getTimeoutMs: () => number): void {
  const samples = new SwapList<SocketSample>();
  let timer: NodeJS.Timeout | null = null;
  const scheduleCheck = (): void => {
    timer = samples.size === 0 ? null : setTimeout(checkSockets, Math.min(getTimeoutMs() / CHECKS_PER_TIMEOUT, MAX_PAUSE_MS)).unref();
  };
  const checkSockets = (): void => {
    const [now, timeoutMs] = [performance.now(), getTimeoutMs()];
    for (const look of samples) if (getStalledMs(look, now) >= timeoutMs) look.socket.destroy();
    scheduleCheck();
  };
  server.on('connection', (socket: Socket) => {
    const sample = samples.add({ socket, written: null, queued: 0, since: 0 });
    socket.once('close', () => samples.remove(sample));
    if (!timer) scheduleCheck();
  });
}

/** Returns the milliseconds without progress. A slow reader makes progress, and nothing waits while the upstream is silent. */
function getStalledMs(sample: SocketSample, now: number): number {
  const { socket } = sample;
  const { writableLength } = socket;
  if (writableLength === 0) {
    sample.written = null;
    return 0;
  }
  const [written, queued] = [socket.bytesWritten - writableLength, getQueuedBytes(socket)];
  if (written === sample.written && queued === sample.queued) return now - sample.since;
  Object.assign(sample, { written, queued, since: now });
  return 0;
}

/** One write can be a complete response. Node counts its remaining bytes in this private field and has no public API for them. */
const getQueuedBytes = ({ _handle: handle }: Socket & { readonly _handle?: { readonly writeQueueSize?: number } | null }): number =>
  handle?.writeQueueSize ?? 0;
