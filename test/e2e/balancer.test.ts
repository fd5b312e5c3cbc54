/** The load balancer of the test cluster: which gateway it asks, and that it forwards messages whole and at once. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { type Balancer, openBalancer } from '../programs/cluster/balancer.ts';

interface Target {
  readonly origin: string;
  isReady: boolean;
  readonly server: Server;
}

async function openTarget(handle: (incoming: IncomingMessage, outgoing: ServerResponse) => void): Promise<Target> {
  const server = createServer((incoming, outgoing) => {
    if (incoming.url === '/readyz') outgoing.writeHead(target.isReady ? 200 : 503).end();
    else handle(incoming, outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new TypeError('no port');
  const target: Target = { origin: `http://127.0.0.1:${address.port}`, isReady: true, server };
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return target;
}

async function openOver(...targets: Target[]): Promise<Balancer> {
  const balancer = await openBalancer({ targets: () => targets.map(({ origin }) => origin) });
  onTestFinished(() => balancer.close());
  return balancer;
}

const saying = (text: string) => openTarget((_, outgoing) => outgoing.end(text));
const ask = async ({ origin }: Balancer): Promise<string> => await (await fetch(origin)).text();

test('the balancer asks each gateway in turn, and none that is not ready', async () => {
  const [one, two] = [await saying('one'), await saying('two')];
  const balancer = await openOver(one, two);
  expect([await ask(balancer), await ask(balancer), await ask(balancer), await ask(balancer)].sort()).toEqual(['one', 'one', 'two', 'two']);
  one.isReady = false;
  await expect.poll(async () => [await ask(balancer), await ask(balancer)]).toEqual(['two', 'two']);
  one.isReady = true;
  await expect.poll(async () => [await ask(balancer), await ask(balancer)].sort()).toEqual(['one', 'two']);
});

test('calls go to the other gateway when one is gone; when both are gone, callers get 503 with an error of the contract', async () => {
  const [one, two] = [await saying('one'), await saying('two')];
  const balancer = await openOver(one, two);
  one.server.closeAllConnections();
  one.server.close();
  expect([await ask(balancer), await ask(balancer)]).toEqual(['two', 'two']);
  two.server.closeAllConnections();
  two.server.close();
  const answer = await fetch(balancer.origin);
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await answer.json()).toMatchObject({ error: { code: 'overloaded' } });
});

test('a body of unknown length arrives whole, with the headers of the caller and its address', async () => {
  const balancer = await openOver(
    await openTarget(async (incoming, outgoing) => {
      const pieces = await incoming.toArray();
      const { cookie, 'x-forwarded-for': from, host } = incoming.headers;
      outgoing.setHeader('set-cookie', ['a=1', 'b=2']);
      outgoing.end(JSON.stringify({ bytes: Buffer.concat(pieces).length, cookie, from, host }));
    }),
  );
  const upward = request(balancer.origin, {
    method: 'POST',
    headers: { cookie: 'c=3', 'x-forwarded-for': '192.0.2.1', expect: '100-continue' },
  });
  for (let index = 0; index < 50; index++) upward.write(Buffer.alloc(20_000));
  upward.end();
  const [answer] = await once(upward, 'response');
  expect(answer.headers['set-cookie']).toEqual(['a=1', 'b=2']);
  const host = new URL(balancer.origin).host;
  expect(JSON.parse(Buffer.concat(await answer.toArray()).toString())).toEqual({
    bytes: 1_000_000,
    cookie: 'c=3',
    from: '192.0.2.1, 127.0.0.1',
    host,
  });
});

test('the head of a stream is forwarded before its first event, and each event before the next one', async () => {
  let say: (event: string) => void = () => undefined;
  const balancer = await openOver(
    await openTarget((_, outgoing) => {
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      say = (event) => outgoing.write(event);
    }),
  );
  const reader = (await fetch(balancer.origin)).body?.getReader();
  for (const event of ['data: 1\n\n', 'data: 2\n\n']) {
    say(event);
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe(event);
  }
});

test.each([
  ['in a stream', (outgoing: ServerResponse) => void outgoing.writeHead(200).flushHeaders()],
  ['before the answer', () => undefined],
])('when a caller disconnects %s, the connection to the gateway closes too', async (_, begin) => {
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<ServerResponse>();
  const balancer = await openOver(
    await openTarget((_, outgoing) => {
      begin(outgoing);
      arrive(outgoing);
    }),
  );
  const leaving = new AbortController();
  const answer = fetch(balancer.origin, { signal: leaving.signal }).catch(() => null);
  const outgoing = await arrived;
  const closed = once(outgoing, 'close');
  if (outgoing.headersSent) await answer;
  leaving.abort();
  await closed;
  // The gateway's side has not ended its answer, so the balancer has closed it.
  expect(outgoing.writableEnded).toBe(false);
});

test('an answer that the gateway cuts fails for the caller, or is 502 when nothing was sent', async () => {
  const balancer = await openOver(
    await openTarget((_, outgoing) => {
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n', () => outgoing.destroy());
    }),
  );
  await expect(ask(balancer)).rejects.toThrow();
  const silent = await openOver(await openTarget((_, outgoing) => outgoing.destroy()));
  expect((await fetch(silent.origin)).status).toBe(502);
});
