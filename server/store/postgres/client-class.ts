/** A client of `pg` that destroys its socket when the server is silent. */
import { Socket } from 'node:net';
import { Client, type ClientConfig } from 'pg';

/** A class, because the pool creates its clients itself. `sockets`: open and opening sockets. */
export const createClientClass = (maxSilenceMs: number, sockets: Set<Socket>) =>
  class TimeoutClient extends Client {
    readonly #socket: Socket;

    constructor(config?: string | ClientConfig) {
      const socket = new Socket();
      super({ ...toClientConfig(config), stream: () => socket });
      this.#socket = socket.setTimeout(maxSilenceMs, () => socket.destroy());
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    }

    /** Silence is normal after login: statements can be slow, and connections idle. */
    disableTimeout(): void {
      this.#socket.setTimeout(0);
    }
  };

const toClientConfig = (config: string | ClientConfig | undefined): ClientConfig | undefined =>
  typeof config === 'string' ? { connectionString: config } : config;
