/** Other clients take every connection of PostgreSQL, those of the gateways included. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Client } from 'pg';
import { expect } from 'vitest';
import type { Stage } from './stage.ts';

/** More than its limit. */
const many = 330;

/** Each begins to log in and sends no password, which holds a connection for a minute. Gives a function that closes them all. */
export async function occupyAll({ cluster: { postgres } }: Stage): Promise<() => Promise<void>> {
  const { hostname, port } = new URL(postgres.url);
  const sockets: Socket[] = [];
  const come = async (): Promise<void> => {
    const socket = connect({ host: hostname, port: Number(port) }).on('error', () => undefined);
    sockets.push(socket);
    socket.write(greeting());
    // It is asked for its password, or told that there are too many.
    await Promise.race([once(socket, 'data'), once(socket, 'close')]).catch(() => undefined);
  };
  const operator = await whileShut(postgres.url, async () => {
    await Promise.all(Array.from({ length: many }, come));
  });
  return async () => {
    for (const socket of sockets) socket.destroy();
    await operator.end();
  };
}

/** Whoever was in is put out, and nobody gets in meanwhile: else the gateways might be the first at a place. Gives the one who did it: that place is taken, too. */
async function whileShut(url: string, work: () => Promise<void>): Promise<Client> {
  const elsewhere = new URL(url);
  elsewhere.pathname = '/template1';
  const operator = new Client({ connectionString: elsewhere.href });
  await operator.connect();
  await operator.query('ALTER DATABASE postgres ALLOW_CONNECTIONS false');
  await operator.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'postgres'");
  // A place that becomes free after the crowd has come would be a gateway's.
  await expect
    .poll(async () => (await operator.query("SELECT 1 FROM pg_stat_activity WHERE datname = 'postgres'")).rowCount, { timeout: 30_000 })
    .toBe(0);
  await work();
  await operator.query('ALTER DATABASE postgres ALLOW_CONNECTIONS true');
  return operator;
}

const protocolVersion = 196_608;

/** The first message of a connection (PostgreSQL's protocol 3.0: StartupMessage). */
function greeting(): Buffer {
  const words = Buffer.from('user\0modelgate\0database\0postgres\0\0');
  const head = Buffer.alloc(8);
  head.writeInt32BE(8 + words.length, 0);
  head.writeInt32BE(protocolVersion, 4);
  return Buffer.concat([head, words]);
}
