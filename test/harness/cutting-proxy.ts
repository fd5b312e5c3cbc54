/** A TCP proxy in front of a gateway that cuts all connections once when it is told to. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface CuttingProxy {
  readonly origin: string;
  /** Cuts all connections. Later calls do nothing. */
  cutOnce(): void;
  close(): Promise<void>;
}

export async function openCuttingProxy(gatewayOrigin: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(gatewayOrigin);
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((client) => {
    const gateway = connect(Number(port), hostname);
    for (const [socket, other] of [
      [client, gateway],
      [gateway, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const destroyAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    // A listening TCP server has an address with a port.
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cutOnce() {
      if (!isCut) destroyAll();
      isCut = true;
    },
    async close() {
      destroyAll();
      server.close();
    },
  };
}
