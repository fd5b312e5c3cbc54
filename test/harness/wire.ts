/** The way between a gateway and its server, for tests that make it slow or let nothing through: connections stay open meanwhile. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

export interface Wire {
  /** The server's own, by way of here. */
  readonly url: string;
  /** How late each piece comes that the server sends. */
  delayMs: number;
  /** From now on nothing comes through, either way, on any connection. */
  hang(): void;
  /** What was held back comes through, and all that follows. */
  resume(): void;
  /** What was held back is lost, and nothing comes through on the connections of before; new ones are as they should be. */
  forget(): void;
  /** Nothing comes through on new connections; on those that there are, all does. */
  hangNew(): void;
  /** How many pieces with this word in them clients have sent so far, whether they came through or not. */
  sent(word: string): number;
}

/** To the server at `url`; gone with the test. */
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

/** For the connections that are made while it is there. */
interface Gate {
  open: Promise<void>;
  release: () => void;
}

const openGate = (): Gate => ({ open: Promise.resolve(), release: () => undefined });

function closed(): Gate {
  const { promise: open, resolve: release } = Promise.withResolvers<void>();
  return { open, release };
}

/** Each piece when `ready` says so, in their order; the end of one side is the end of the other. */
function forward(from: Socket, to: Socket, ready: () => Promise<void>): void {
  let last = Promise.resolve();
  const later = (work: () => void): void => {
    last = Promise.all([last, ready()]).then(work);
  };
  from.on('data', (piece) => later(() => void to.write(piece)));
  from.on('error', () => undefined);
  from.on('close', () => later(() => to.destroy()));
}
