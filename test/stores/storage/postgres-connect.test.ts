/** Connections to PostgreSQL that come to nothing just after they were opened (F52). */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openPostgres } from '../../../server/storage/postgres/pool.ts';

/** What a server says to whom it lets in: no password is asked, and the client may begin. */
const welcome = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);

test('a server that lets callers in and then says nothing costs each half a second, and its connection is given up', async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => undefined));
    socket.once('data', () => socket.write(welcome));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  // A listening TCP server has an address with a port.
  const { port } = server.address() as AddressInfo;
  const postgres = openPostgres({ url: `postgres://modelgate@127.0.0.1:${port}/modelgate`, connections: 1 });
  onTestFinished(() => postgres.close());
  const startedAt = performance.now();
  await expect(postgres.query({ text: 'SELECT 1' })).rejects.toThrow(/did not answer within/);
  expect(performance.now() - startedAt).toBeLessThan(750);
  const [first] = sockets;
  if (!first) throw new Error('nobody came');
  await once(first, 'close', { signal: AbortSignal.timeout(5_000) });
  await expect(postgres.query({ text: 'SELECT 1' })).rejects.toThrow(/did not answer within/);
  expect(sockets).toHaveLength(2);
});
