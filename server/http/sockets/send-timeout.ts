/** Callers who read nothing of an answer that is there: after a while their connection is cut, and with it the upstream's (promises G6 and G7). */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { SwapList } from '../../primitives/swap-list.ts';

/** How often each connection is looked at within the time that it is given: it is cut at most two looks later. */
const LOOKS = 4;
const LONGEST_PAUSE_MS = 5_000;

/** What waited for a caller at the last look. */
interface Look {
  readonly socket: Socket;
  /** Bytes of writes that were taken whole; null where nothing waited. */
  written: number | null;
  /** Bytes of the running write that the system has not taken yet. */
  queued: number;
  /** Since when neither has changed. */
  since: number;
}

/**
 * The timeout of a socket would not do: it takes what the caller sends for life, so that an empty line now and then would hold an answer
 * for ever. `afterMs` is asked at each look, as a reload may change it.
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

/** Any progress is life, so a slow reader stays; and silence of the upstream leaves nothing waiting here. */
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

/** One write may be a whole answer: Node counts its bytes as they go, for its own timeouts, and offers no other way to ask. */
const queuedOf = ({ _handle: handle }: Socket & { readonly _handle?: { readonly writeQueueSize?: number } | null }): number =>
  handle?.writeQueueSize ?? 0;
