/** The balancer of the cluster, by itself: whom it asks, and that nothing of a message is lost, kept back or made to look whole. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { type Balancer, openBalancer } from '../cluster/balancer.ts';

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

test('callers are sent to each gateway in turn, and to none that says it is not ready', async () => {
  const [one, two] = [await saying('one'), await saying('two')];
  const balancer = await openOver(one, two);
  expect([await ask(balancer), await ask(balancer), await ask(balancer), await ask(balancer)].sort()).toEqual(['one', 'one', 'two', 'two']);
  one.isReady = false;
  await expect.poll(async () => [await ask(balancer), await ask(balancer)]).toEqual(['two', 'two']);
  one.isReady = true;
  await expect.poll(async () => [await ask(balancer), await ask(balancer)].sort()).toEqual(['one', 'two']);
});

test('a gateway that went a moment ago costs nobody a call; where none is left, callers get an error of the contract', async () => {
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

test('a body of unknown length arrives whole, with the headers that the caller wrote and where it came from', async () => {
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

test('the beginning of a stream is told before its first event, and an event before the next is made', async () => {
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
  ['before there is an answer', () => undefined],
])('a caller who leaves %s has left for the gateway too', async (_, begin) => {
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
  // It has not ended its answer, and never would.
  expect(outgoing.writableEnded).toBe(false);
});

test('an answer that is cut on its way does not look complete', async () => {
  const balancer = await openOver(
    await openTarget((_, outgoing) => {
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n', () => outgoing.destroy());
    }),
  );
  await expect(ask(balancer)).rejects.toThrow();
  const silent = await openOver(await openTarget((_, outgoing) => outgoing.destroy()));
  expect((await fetch(silent.origin)).status).toBe(502);
});
