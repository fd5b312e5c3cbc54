/** A caller that reads the beginning of a stream and then disconnects. The test learns when the gateway has noticed the disconnect. */
import { once } from 'node:events';
import { request } from 'node:http';

export interface DisconnectingCaller {
  /** Disconnects. Resolves when the gateway has noticed it. */
  leave(): Promise<void>;
}

export interface Asking {
  readonly origin: string;
  readonly key: string;
  readonly body: unknown;
}

export async function beginStream({ origin, key, body }: Asking): Promise<DisconnectingCaller> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const calling = request(`${origin}/v1/chat/completions`, { method: 'POST', headers, agent: false });
  calling.on('error', () => undefined);
  calling.end(JSON.stringify(body));
  const [answer] = await once(calling, 'response');
  answer.on('error', () => undefined);
  await once(answer, 'data');
  return {
    async leave() {
      // A reset, not a FIN: after a FIN the gateway has to probe whether the caller still reads.
      calling.socket?.resetAndDestroy();
      // After complete requests on other connections, the gateway has read the earlier reset.
      for (let rounds = 0; rounds < 3; rounds++) await (await fetch(`${origin}/livez`)).text();
    },
  };
}
