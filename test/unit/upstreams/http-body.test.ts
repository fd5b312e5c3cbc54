/** How the answer of an upstream reaches its reader: late readers, slow readers, readers who leave, upstreams that break off (F01). */
import { EventEmitter, once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { jsonBody } from '../../../server/dialects/json-body.ts';
import { openHttpUpstream } from '../../../server/upstreams/http.ts';
import type { AnswerBody, UpstreamAnswer, UpstreamRequest } from '../../../server/upstreams/upstream.ts';

const waits = { headersMs: 5_000, firstEventMs: 5_000, idleMs: 5_000, totalMs: 5_000 };
const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

interface Vendor {
  send(more?: Partial<UpstreamRequest>): Promise<UpstreamAnswer>;
  /** Connections that the vendor has seen. */
  readonly connections: () => number;
}

async function openVendor(answer: (response: ServerResponse) => void, times: Partial<typeof waits> = {}): Promise<Vendor> {
  let connections = 0;
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => answer(response));
  });
  server.on('connection', () => {
    connections += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has an address with one.
  const { port } = server.address() as AddressInfo;
  const timeouts = { connectMs: 5_000, ...waits, ...times };
  const upstream = openHttpUpstream({
    ...{ kind: 'openai', name: 'vendor', protocols: ['chat'], baseUrl: `http://127.0.0.1:${port}/v1` },
    ...{
      connections: 4,
      queue: 0,
      onClientGone: 'abort',
      drainMs: 1_000,
      drainBytes: 1_024,
      headers: {},
      timeouts,
      imageTimeouts: { ...waits, ...times },
    },
  });
  closers.push(
    async () => new Promise((resolve) => server.close(resolve)),
    async () => server.closeAllConnections(),
    () => upstream.close(),
  );
  const request = {
    operation: 'createChatCompletion',
    model: 'm',
    body: jsonBody({ model: 'm' }),
    stream: true,
    session: null,
    requestId: 'req_test',
  } as const;
  return {
    send: (more = {}) => upstream.send({ ...request, gone: new EventEmitter(), signal: new AbortController().signal, ...more }),
    connections: () => connections,
  };
}

interface Heard {
  readonly told: string[];
  readonly closed: Promise<void>;
}

/** All that a reader is told, in order. */
function listen(body: AnswerBody): Heard {
  const told: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  body.on('data', (chunk) => void told.push(chunk.toString()));
  body.on('end', () => void told.push('(end)'));
  body.on('error', ({ name }) => void told.push(`(${name})`));
  body.on('close', () => {
    told.push('(close)');
    resolve();
  });
  return { told, closed: promise };
}

const text = ({ told }: Heard): string => told.join('');

describe('the body of an upstream’s answer', () => {
  it('is told from its beginning to a reader who comes late', async () => {
    const vendor = await openVendor((response) => response.end('all of it'));
    const { status, body } = await vendor.send();
    await pause(50);
    const heard = listen(body);
    await heard.closed;
    expect([status, text(heard)]).toEqual([200, 'all of it(end)(close)']);
    expect(body).toMatchObject({ closed: true, readableEnded: true });
  });

  it('waits for a reader who pauses, and is told whole when the reader goes on', async () => {
    const size = 8 * 1024 * 1024;
    let isOut = false;
    const vendor = await openVendor((response) => response.end(Buffer.alloc(size, 'x'), () => (isOut = true)));
    const { body } = await vendor.send();
    let seen = 0;
    body.on('data', (chunk) => {
      seen += chunk.length;
      if (seen === chunk.length) body.pause();
    });
    await pause(300);
    expect(seen).toBeLessThan(1024 * 1024);
    expect(isOut).toBe(false);
    body.resume();
    await new Promise<void>((resolve) => body.once('close', resolve));
    expect([seen, isOut]).toEqual([size, true]);
  });

  it('is not read ahead of a reader who has not come yet', async () => {
    let isOut = false;
    const vendor = await openVendor((response) => response.end(Buffer.alloc(16 * 1024 * 1024), () => (isOut = true)));
    const { body } = await vendor.send();
    await pause(300);
    expect(isOut).toBe(false);
    body.destroy();
  });

  it('says that it was cut, and no end, where the upstream breaks off', async () => {
    const vendor = await openVendor((response) => response.write('half', () => response.destroy()));
    const heard = listen((await vendor.send()).body);
    await heard.closed;
    expect(text(heard)).toBe('half(SocketError)(close)');
  });

  it('is cut at the vendor when its reader gives it up, and tells nothing more', async () => {
    const cut = Promise.withResolvers<void>();
    const vendor = await openVendor((response) => {
      response.on('close', () => cut.resolve());
      response.write('first');
    });
    const { body } = await vendor.send();
    const heard = listen(body);
    body.on('data', () => body.destroy());
    await Promise.all([heard.closed, cut.promise]);
    expect(text(heard)).toBe('first(close)');
    expect(body.readableEnded).toBe(false);
  });

  it('is cut when the caller leaves, which its reader is told', async () => {
    const vendor = await openVendor((response) => response.write('first'));
    const gone = new EventEmitter();
    const heard = listen((await vendor.send({ gone })).body);
    setTimeout(() => gone.emit('abort'), 50);
    await heard.closed;
    expect(text(heard)).toBe('first(AbortError)(close)');
  });

  it('ends with a timeout where it takes longer than a whole answer may', async () => {
    const vendor = await openVendor((response) => response.write('drip'), { totalMs: 100 });
    const { body } = await vendor.send();
    const told = new Promise((resolve) => body.on('error', resolve));
    body.on('data', () => {});
    await expect(told).resolves.toMatchObject({ code: 'upstream_timeout' });
  });

  it('has no more time than the whole request, the wait for its begin included', async () => {
    // The time for the first byte is coarse: far from both.
    const vendor = await openVendor((response) => setTimeout(() => response.write('drip'), 700), { totalMs: 2_000 });
    const startedAt = performance.now();
    const { body } = await vendor.send();
    const told = new Promise((resolve) => body.on('error', resolve));
    body.on('data', () => {});
    await expect(told).resolves.toMatchObject({ code: 'upstream_timeout' });
    expect(performance.now() - startedAt).toBeLessThan(2_500);
  });

  it('leaves its connection to those who come after it', async () => {
    const vendor = await openVendor((response) => response.end('done'));
    for (let call = 0; call < 20; call++) await listen((await vendor.send()).body).closed;
    // Whoever comes in the very turn in which an answer ends may find the connection not free yet.
    expect(vendor.connections()).toBeLessThanOrEqual(2);
  });
});

describe('a request to an upstream', () => {
  it('fails when the caller leaves before the answer', async () => {
    const gone = new EventEmitter();
    const vendor = await openVendor(() => gone.emit('abort'));
    await expect(vendor.send({ gone })).rejects.toMatchObject({ code: 'upstream_error', cause: { name: 'AbortError' } });
  });

  it('takes no word ahead of the answer for it', async () => {
    const vendor = await openVendor((response) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload' });
      response.writeHead(202).end('later');
    });
    const { status, body } = await vendor.send();
    const heard = listen(body);
    await heard.closed;
    expect([status, text(heard)]).toEqual([202, 'later(end)(close)']);
  });

  it('fails where nobody listens', async () => {
    const vendor = await openVendor((response) => response.destroy());
    await expect(vendor.send()).rejects.toMatchObject({ code: 'upstream_error' });
  });
});
