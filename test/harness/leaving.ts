/** A caller of a gateway process who reads the beginning of a stream and then leaves, in such a way that one can know when the gateway has seen it. */
import { once } from 'node:events';
import { request } from 'node:http';

export interface Leaving {
  /** Resolves when the gateway knows. */
  leave(): Promise<void>;
}

export interface Asking {
  readonly origin: string;
  readonly key: string;
  readonly body: unknown;
}

export async function beginStream({ origin, key, body }: Asking): Promise<Leaving> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const calling = request(`${origin}/v1/chat/completions`, { method: 'POST', headers, agent: false });
  calling.on('error', () => undefined);
  calling.end(JSON.stringify(body));
  const [answer] = await once(calling, 'response');
  answer.on('error', () => undefined);
  await once(answer, 'data');
  return {
    async leave() {
      // A mere end of the connection would have to be asked about: the caller may only have no more to say.
      calling.socket?.resetAndDestroy();
      // Whole rounds on other connections: what came before on this one has been read by then.
      for (let rounds = 0; rounds < 3; rounds++) await (await fetch(`${origin}/livez`)).text();
    },
  };
}
