/** Serves `GET /metrics` on a separate listener, because it needs no key and must not be reachable by callers. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Log } from './log.ts';
import type { MetricsAddress } from './telemetry.ts';

export interface MetricsListener {
  /** The origin, without a path. */
  readonly origin: string;
  close(): Promise<void>;
}

const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Rejects with the system error if the address is unavailable. */
export async function serveMetrics(scrape: () => Promise<string>, { host, port }: MetricsAddress, log: Log): Promise<MetricsListener> {
  const server = process
    .getBuiltinModule('node:http')
    .createServer({ requestTimeout: 10_000, headersTimeout: 5_000 }, (request, response) => {
      const path = request.url?.split('?', 1)[0];
      const status = path !== '/metrics' ? 404 : request.method === 'GET' || request.method === 'HEAD' ? 200 : 405;
      if (status !== 200) {
        response.writeHead(status, { 'content-type': 'text/plain', ...(status === 405 && { allow: 'GET, HEAD' }) });
        response.end(status === 404 ? 'Only GET /metrics is available here.\n' : 'Use GET.\n');
        return;
      }
      scrape().then(
        (text) => response.writeHead(200, { 'content-type': CONTENT_TYPE }).end(text),
        (err: unknown) => {
          log.error({ err }, 'collecting metrics failed');
          response
            .writeHead(500, { 'content-type': 'text/plain' })
            .end("The metrics can't be collected. See the gateway's log for the reason.\n");
        },
      );
    });
  await listen(server, { host, port });
  // Readers of the metrics don't delay the end of the process.
  server.unref();
  return {
    origin: getOrigin(server),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, address: MetricsAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function getOrigin(server: Server): string {
  // `as`: a listening TCP server has an address with a port.
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
