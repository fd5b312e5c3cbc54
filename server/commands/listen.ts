/** The listeners of `modelgate serve`, for callers and operators, and the errors when an address is unavailable. */
import type { FastifyInstance } from 'fastify';
import { STANDARD_ADMIN_PORT } from '../config/admin-port.ts';
import type { Config } from '../config/config.ts';
import { CommandError } from './failure.ts';

interface Place {
  readonly host: string;
  readonly port: number;
}

/**
 * Backlog of connections to accept. With Node's default of 511, the rest of a burst would wait for a second or more. The
 * system allows at most `net.core.somaxconn`.
 */
const BACKLOG = 4_096;

/** Callers know this port, so the start fails when it is taken. */
export async function listen(app: FastifyInstance, { host, port }: Place): Promise<string> {
  await app.listen({ host, port, backlog: BACKLOG }).catch((error: unknown) => {
    throw listenFailure(error, { host, port });
  });
  return originOf(app);
}

export async function listenForOperators(app: FastifyInstance, { host, port }: Config['admin']): Promise<string> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    if (codeOf(error) !== 'EADDRINUSE' || port !== STANDARD_ADMIN_PORT) throw listenFailure(error, { host, port });
    await app.listen({ host, port: 0 });
  }
  return originOf(app);
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

function listenFailure(error: unknown, { host, port }: Place): unknown {
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return new CommandError(
        `Port ${port} of ${host} is in use. Stop what listens there, or choose another with --port (0 takes any free one).`,
      );
    case 'EACCES':
      return new CommandError(`This user may not listen on port ${port}. Choose one above 1023 with --port.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new CommandError(`${host} is not an address of this machine. Choose another with --host, for example 127.0.0.1.`);
    default:
      return error;
  }
}

/** An address that works from this machine; a client cannot call `0.0.0.0` or `::`. */
function originOf(app: FastifyInstance): string {
  const address = app.server.address();
  if (address === null || typeof address === 'string') throw new TypeError('the listener has no port');
  const usable: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': 'localhost' };
  const host = usable[address.address] ?? (address.family === 'IPv6' ? `[${address.address}]` : address.address);
  return `http://${host}:${address.port}`;
}
