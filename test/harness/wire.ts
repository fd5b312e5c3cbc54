/** A TCP proxy between a gateway and a server. Tests make it slow or let it forward nothing, while connections stay open. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

export interface Wire {
  /** The URL of the server through this proxy. */
  readonly url: string;
  /** Milliseconds by which each piece from the server is delayed. */
  delayMs: number;
  /** Stops forwarding in both directions on all connections. */
  hang(): void;
  /** Forwards the held pieces, and forwards normally from then on. */
  resume(): void;
  /** Drops the held pieces. Existing connections forward nothing any more; new ones work. */
  forget(): void;
  /** Forwards nothing on new connections. Existing ones work. */
  hangNew(): void;
  /** The number of pieces with this word that clients have sent so far, forwarded or not. */
  sent(word: string): number;
}

/** Opens a proxy to the server at `url` and closes it after the test. */
export async function openWire(url: string): Promise<Wire> {
  const { hostname: host, port } = new URL(url);
  const sockets = new Set<Socket>();
  const pieces: string[] = [];
  const never = new Promise<void>(() => undefined);
  let gate = openGate();
  const server = createServer((client) => {
    const target = connect({ host, port: Number(port) });
    const own = gate;
    client.on('data', (piece) => pieces.push(piece.toString('latin1')));
    forward(client, target, () => own.open);
    forward(target, client, async () => {
      await own.open;
      await wait(wire.delayMs);
    });
    for (const socket of [client, target]) sockets.add(socket.on('close', () => sockets.delete(socket)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const at = new URL(url);
  // A listening TCP server has an address with a port.
  at.port = String((server.address() as AddressInfo).port);
  const wire: Wire = {
    url: at.href,
    delayMs: 0,
    hang() {
      Object.assign(gate, closed());
    },
    resume: () => gate.release(),
    forget() {
      gate.open = never;
      gate = openGate();
    },
    hangNew() {
      gate = closed();
    },
    sent: (word) => pieces.filter((piece) => piece.includes(word)).length,
  };
  return wire;
}

/** The gate of connections that are made while it exists. */
interface Gate {
  open: Promise<void>;
  release: () => void;
}

const openGate = (): Gate => ({ open: Promise.resolve(), release: () => undefined });

function closed(): Gate {
  const { promise: open, resolve: release } = Promise.withResolvers<void>();
  return { open, release };
}

/** Forwards each piece when `ready` resolves, in order. When one side ends, the other is ended. */
function forward(from: Socket, to: Socket, ready: () => Promise<void>): void {
  let last = Promise.resolve();
  const later = (work: () => void): void => {
    last = Promise.all([last, ready()]).then(work);
  };
  from.on('data', (piece) => later(() => void to.write(piece)));
  from.on('error', () => undefined);
  from.on('close', () => later(() => to.destroy()));
}
