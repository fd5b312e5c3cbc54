/** Loaded into every server under test (`--import`): answers over IPC what the process has used, without touching its code. */
import type { Server } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export interface Used {
  /** User and system time of all threads. */
  readonly cpuMicros: number;
  /** Resident memory. */
  readonly rssBytes: number;
  /** What the heap holds, with the memory of buffers outside it. */
  readonly heapBytes: number;
  /** Sockets, timers, requests: what keeps the event loop from its end. */
  readonly handles: number;
}

/** For the servers of the benchmark itself: listens on any free port and tells it. */
export function announce(server: Server): void {
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (typeof address === 'object' && address !== null) process.send?.({ port: address.port });
  });
}

function used(): Used {
  const { user, system } = process.cpuUsage();
  const { rss: rssBytes, heapUsed, external } = process.memoryUsage();
  const handles = process.getActiveResourcesInfo().length;
  return { cpuMicros: user + system, rssBytes, heapBytes: heapUsed + external, handles };
}

/** Gives back what the start and the warm-up left behind, so that idle memory is that of an idle server. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  // Memory of buffers goes only when what held it has gone.
  collect();
  collect();
}

process.on('message', (message) => {
  if (message === 'settle') collectGarbage();
  if (message === 'used' || message === 'settle') process.send?.({ used: used() });
});
// A benchmark that was killed leaves nothing behind, and the channel itself keeps nothing alive.
process.on('disconnect', () => process.exit());
process.channel?.unref();
