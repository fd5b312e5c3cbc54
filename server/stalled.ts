/** Callers who read nothing of an answer that is there: after a while their connection is cut, and with it the upstream's (promises G6 and G7). */
import type { ServerResponse } from 'node:http';

/** Node counts any progress as life, so a slow reader stays; and silence of the upstream leaves nothing waiting here. */
export function cutStalled(response: ServerResponse, afterMs: number): void {
  response.setTimeout(afterMs, () => {
    const { socket } = response;
    if (socket && socket.writableLength > 0) socket.destroy();
  });
}
