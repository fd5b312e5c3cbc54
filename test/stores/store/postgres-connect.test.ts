/** Connections to PostgreSQL that fail just after they were opened (F52). */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { PostgresHungError, PostgresTimeoutError } from '../../../server/store/postgres/deadlines.ts';
import { openPostgres } from '../../../server/store/postgres/postgres.ts';

/** The answer of a server to a new client: no password is needed, and the client may begin. */
const welcome = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);
/** The answer to a statement: it is complete, and the next one may follow. */
const done = Buffer.from([0x43, 0, 0, 0, 7, 0x4f, 0x4b, 0, 0x5a, 0, 0, 0, 5, 0x49]);

test('treats a server that accepts connections silently as hanging until it responds, and closes its connections', async () => {
  const sockets: Socket[] = [];
  let isMute = true;
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => undefined));
    socket.once('data', () => {
      socket.write(welcome);
      socket.on('data', () => isMute || socket.write(done));
    });
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  // A listening TCP server has an address with a port.
  const { port } = server.address() as AddressInfo;
  const postgres = openPostgres({ url: `postgres://modelgate@127.0.0.1:${port}/modelgate`, connections: 1, timeoutMs: 300 });
  onTestFinished(() => postgres.close());
  await expect(postgres.query({ text: 'SELECT 1' })).rejects.toBeInstanceOf(PostgresTimeoutError);
  await expect(postgres.query({ text: 'SELECT 1' })).rejects.toBeInstanceOf(PostgresHungError);
  const isClosed = (socket: Socket | undefined) => socket?.destroyed ?? false;
  await expect.poll(() => isClosed(sockets[0]), { timeout: 30_000 }).toBe(true);
  isMute = false;
  await expect.poll(() => postgres.getRefusal(), { timeout: 30_000 }).toBeNull();
  expect(await postgres.query({ text: 'SELECT 1' })).toEqual([]);
});
