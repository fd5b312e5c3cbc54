/** Connections to PostgreSQL that are closed when the server is silent during the log-in; a slow log-in that makes progress continues. */
import { Socket } from 'node:net';
import { Client, type ClientConfig } from 'pg';

export interface Silence {
  /** The longest silence. */
  readonly mostMs: number;
  /** Sockets that are open or opening. */
  readonly sockets: Set<Socket>;
}

/** A class, because the pool makes its clients itself. */
export const clientWithTimeouts = ({ mostMs, sockets }: Silence) =>
  class ImpatientClient extends Client {
    readonly #socket: Socket;

    constructor(config?: string | ClientConfig) {
      const socket = new Socket();
      super({ ...asConfig(config), stream: () => socket });
      this.#socket = socket.setTimeout(mostMs, () => socket.destroy());
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    }

    /** After the log-in silence is normal: statements may be slow, and connections idle. */
    calmDown(): void {
      this.#socket.setTimeout(0);
    }
  };

const asConfig = (config: string | ClientConfig | undefined): ClientConfig | undefined =>
  typeof config === 'string' ? { connectionString: config } : config;
