/** Send timeout: closes connections whose callers read nothing of a waiting answer, and so ends the request to the upstream (promises G6 and G7). */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { SwapList } from '../../primitives/swap-list.ts';

/** Checks of each connection within the timeout: a stalled connection is closed at most two checks late. */
const LOOKS = 4;
const LONGEST_PAUSE_MS = 5_000;

/** What waited for a caller at the last check. */
interface Look {
  readonly socket: Socket;
  /** Bytes of completed writes; null when nothing waited. */
  written: number | null;
  /** Bytes of the current write that the system has not accepted yet. */
  queued: number;
  /** When one of the two last changed, by `performance.now()`. */
  since: number;
}

/**
 * Node's socket timeout does not fit: anything that the caller sends resets it, so an empty line now and then would keep a stalled answer open for
 * ever. `afterMs` is called at each check, since a reload may change it.
 */
export function cutStalled(server: Server, afterMs: () => number): void {
  const looks = new SwapList<Look>();
  let timer: NodeJS.Timeout | null = null;
  const plan = (): void => {
    timer = looks.size === 0 ? null : setTimeout(lookAround, Math.min(afterMs() / LOOKS, LONGEST_PAUSE_MS)).unref();
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

/** One write may be a whole answer. Node counts its remaining bytes in this private field; it offers no other way to ask. */
const queuedOf = ({ _handle: handle }: Socket & { readonly _handle?: { readonly writeQueueSize?: number } | null }): number =>
  handle?.writeQueueSize ?? 0;
