/** Connections to PostgreSQL that end where nothing comes back: as long as a log-in goes on, however slowly, it is let go on. */
import { Socket } from 'node:net';
import { Client, type ClientConfig } from 'pg';

export interface Silence {
  /** The longest at a time. */
  readonly mostMs: number;
  /** Those that are open, or are being opened. */
  readonly sockets: Set<Socket>;
}

/** For the pool, which makes its clients itself. */
export const impatientClient = ({ mostMs, sockets }: Silence) =>
  class ImpatientClient extends Client {
    readonly #socket: Socket;

    constructor(config?: string | ClientConfig) {
      const socket = new Socket();
      super({ ...asConfig(config), stream: () => socket });
      this.#socket = socket.setTimeout(mostMs, () => socket.destroy());
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    }

    /** From now on a statement may take its time, and an idle connection stays. */
    calmDown(): void {
      this.#socket.setTimeout(0);
    }
  };

const asConfig = (config: string | ClientConfig | undefined): ClientConfig | undefined =>
  typeof config === 'string' ? { connectionString: config } : config;
