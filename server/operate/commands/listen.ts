/** Listens on the addresses for callers, operators, and metrics, and explains why an address can't be used. */
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config/config.ts';
import { STANDARD_ADMIN_PORT } from '../../config/schema-server.ts';
import type { MetricsAddress, Telemetry } from '../../telemetry/telemetry.ts';
import { tryToListen } from '../try-to-listen.ts';
import type { WorkerLink } from '../worker-link.ts';
import { CommandError } from './command-error.ts';

interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/**
 * Maximum number of connections that wait to be accepted. With Node's default of 511, further connections of a burst
 * would wait for a second or more. The system allows at most `net.core.somaxconn`.
 */
const BACKLOG = 4_096;

/**
 * Fails as `listen` would, but before the gateway is opened: a start that can't succeed must not apply its prices to a database that another gateway uses.
 */
export async function assertPortsAvailable({ server, admin }: Config): Promise<void> {
  await tryToListen(server).catch((error: unknown) => {
    throw toListenError(error, server);
  });
  if (!admin.enabled || admin.port === STANDARD_ADMIN_PORT) return;
  await tryToListen(admin).catch((error: unknown) => {
    throw toListenError(error, admin, adminSettings);
  });
}

const adminSettings = { host: 'admin.host', port: 'admin.port' };

/** Callers know this port, so the start fails if it's in use. */
export async function listen(app: FastifyInstance, { host, port }: ListenAddress): Promise<string> {
  await app.listen({ host, port, backlog: BACKLOG }).catch((error: unknown) => {
    throw toListenError(error, { host, port });
  });
  return getOrigin(app);
}

export async function listenForOperators(app: FastifyInstance, { host, port }: Config['admin']): Promise<string> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    if (getErrorCode(error) !== 'EADDRINUSE' || port !== STANDARD_ADMIN_PORT) throw toListenError(error, { host, port }, adminSettings);
    await app.listen({ host, port: 0 });
  }
  return getOrigin(app);
}

const getErrorCode = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

export const metricsSettings = { host: 'metrics.host', port: 'metrics.port' };

/** `settings` names the settings that select the address. */
export function toListenError(error: unknown, { host, port }: ListenAddress, settings = { host: '--host', port: '--port' }): unknown {
  switch (getErrorCode(error)) {
    case 'EADDRINUSE':
      return new CommandError(
        `Port ${port} of ${host} is in use. Stop the program that uses it, or choose another port with ${settings.port} (0 selects a free one).`,
      );
    case 'EACCES':
      return new CommandError(`This user can't listen on port ${port}. Choose one above 1023 with ${settings.port}.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new CommandError(`${host} isn't an address of this machine. Choose another with ${settings.host}, for example 127.0.0.1.`);
    default:
      return error;
  }
}

/** Returns an origin that works from this machine. A client can't call `0.0.0.0` or `::`. */
function getOrigin(app: FastifyInstance): string {
  const address = app.server.address();
  if (address === null || typeof address === 'string') throw new TypeError('the listener has no port');
  const hostByAddress: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': 'localhost' };
  const host = hostByAddress[address.address] ?? (address.family === 'IPv6' ? `[${address.address}]` : address.address);
  return `http://${host}:${address.port}`;
}

/** Returns where the metrics are served, or undefined if they're off. The supervisor serves the metrics of its workers. */
export async function listenForMetrics(
  telemetry: Telemetry | null,
  { host, port }: MetricsAddress,
  worker: WorkerLink | null,
): Promise<string | undefined> {
  if (worker) {
    if (telemetry?.scrape) worker.answerScrapes(telemetry.scrape);
    return worker.metricsOrigin;
  }
  return telemetry?.listen?.({ host, port }).catch((error: unknown) => {
    throw toListenError(error, { host, port }, metricsSettings);
  });
}
