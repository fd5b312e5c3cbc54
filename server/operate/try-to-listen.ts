/** Listens on an address for a moment. Rejects with the system's error if that's impossible. */
import { once } from 'node:events';
import { createServer } from 'node:net';

export async function tryToListen({ host, port }: { readonly host: string; readonly port: number }): Promise<void> {
  const server = createServer();
  server.listen({ host, port, exclusive: true });
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}
