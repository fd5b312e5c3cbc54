/** The body of an upstream's answer: late, slow and leaving readers, and upstreams that cut the connection (F01). */
import { EventEmitter, once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createJsonBody } from '../../../server/protocols/wire/json-body.ts';
import { openHttpUpstream } from '../../../server/providers/http-upstream.ts';
import type { ResponseBody, UpstreamRequest, UpstreamResponse } from '../../../server/providers/upstream.ts';
import { hangLimitMs } from '../../harness/hang-limit.ts';
import { holdTimers } from '../../harness/held-clock.ts';

const waits = { headersMs: hangLimitMs, firstEventMs: hangLimitMs, idleMs: hangLimitMs, totalMs: hangLimitMs };
const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

interface Vendor {
  send(more?: Partial<UpstreamRequest>): Promise<UpstreamResponse>;
  /** The number of connections to the vendor. */
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
  const timeouts = { connectMs: hangLimitMs, ...waits, ...times };
  const upstream = openHttpUpstream({
    kind: 'openai',
    fields: { allow: [], deny: [] },
    name: 'vendor',
    protocols: ['chat'],
    baseUrl: `http://127.0.0.1:${port}/v1`,
    maxConcurrentRequests: 4,
    accountShare: 80,
    maxPendingRequests: 0,
    onClientDisconnect: 'abort',
    drainMs: 1_000,
    drainBytes: 1_024,
    headers: {},
    timeouts,
    imageTimeouts: { ...waits, ...times },
  });
  closers.push(
    async () => new Promise((resolve) => server.close(resolve)),
    async () => server.closeAllConnections(),
    () => upstream.close(),
  );
  const request = {
    operation: 'createChatCompletion',
    model: 'm',
    body: createJsonBody({ model: 'm' }),
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

/** Records all events of a body, in order. */
function listen(body: ResponseBody): Heard {
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

/** Records the errors of a body. */
function openEnd(body: ResponseBody): { readonly errors: Error[]; readonly closed: Promise<void> } {
  const errors: Error[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  body.on('error', (error) => errors.push(error));
  body.on('data', () => {});
  body.once('close', resolve);
  return { errors, closed: promise };
}

/** Reads three answers of this size from another vendor. An earlier answer without backpressure has arrived by then. */
async function readBeside(size: number): Promise<void> {
  const vendor = await openVendor((response) => response.end(Buffer.alloc(size, 'y')));
  for (let times = 3; times > 0; times--) {
    const heard = listen((await vendor.send()).body);
    await heard.closed;
    expect(text(heard)).toHaveLength(size + '(end)(close)'.length);
  }
}

describe('the body of an upstream’s response', () => {
  it('arrives complete at a late reader', async () => {
    const sent = Promise.withResolvers<void>();
    const vendor = await openVendor((response) => response.end('all of it', () => sent.resolve()));
    const { status, body } = await vendor.send();
    await sent.promise;
    for (let turns = 10; turns > 0; turns--) await nextTurn();
    const heard = listen(body);
    await heard.closed;
    expect([status, text(heard)]).toEqual([200, 'all of it(end)(close)']);
    expect(body).toMatchObject({ closed: true, readableEnded: true });
  });

  it('waits for a reader that pauses, and is read whole when it resumes', async () => {
    const size = 8 * 1024 * 1024;
    let isOut = false;
    const vendor = await openVendor((response) => response.end(Buffer.alloc(size, 'x'), () => (isOut = true)));
    const { body } = await vendor.send();
    let seen = 0;
    body.on('data', (chunk) => {
      seen += chunk.length;
      if (seen === chunk.length) body.pause();
    });
    await readBeside(size);
    expect(seen).toBeLessThan(1024 * 1024);
    expect(isOut).toBe(false);
    body.resume();
    await new Promise<void>((resolve) => body.once('close', resolve));
    expect([seen, isOut]).toEqual([size, true]);
  });

  it('stays unread before it has a reader', async () => {
    const size = 16 * 1024 * 1024;
    let isOut = false;
    const vendor = await openVendor((response) => response.end(Buffer.alloc(size), () => (isOut = true)));
    const { body } = await vendor.send();
    await readBeside(size);
    expect(isOut).toBe(false);
    body.destroy();
  });

  it('ends with an error and without an end event when the upstream cuts it', async () => {
    const vendor = await openVendor((response) => response.write('half', () => response.destroy()));
    const heard = listen((await vendor.send()).body);
    await heard.closed;
    expect(text(heard)).toBe('half(SocketError)(close)');
  });

  it('gets cut at the provider when its reader destroys it, without further events', async () => {
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

  it('ends with an AbortError when the caller disconnects', async () => {
    const vendor = await openVendor((response) => response.write('first'));
    const gone = new EventEmitter();
    const { body } = await vendor.send({ gone });
    const heard = listen(body);
    body.on('data', () => setImmediate(() => gone.emit('abort')));
    await heard.closed;
    expect(text(heard)).toBe('first(AbortError)(close)');
  });

  it('ends with a timeout after totalMs', async () => {
    await holdTimers();
    const vendor = await openVendor((response) => response.write('drip'), { totalMs: 100 });
    const { body } = await vendor.send();
    const told = openEnd(body);
    vi.advanceTimersByTime(99);
    expect(told.errors).toEqual([]);
    vi.advanceTimersByTime(1);
    await told.closed;
    expect(told.errors).toMatchObject([{ code: 'upstream_timeout' }]);
  });

  it('ends with a timeout after totalMs since the request, not since its first byte', async () => {
    await holdTimers();
    const asked = Promise.withResolvers<ServerResponse>();
    const vendor = await openVendor((response) => asked.resolve(response), { totalMs: 25_600 });
    const answering = vendor.send();
    const response = await asked.promise;
    vi.advanceTimersByTime(10_000);
    response.write('drip');
    const told = openEnd((await answering).body);
    // The timer counts in steps of 100 ms.
    vi.advanceTimersByTime(15_599);
    expect(told.errors).toEqual([]);
    vi.advanceTimersByTime(1);
    await told.closed;
    expect(told.errors).toMatchObject([{ code: 'upstream_timeout' }]);
  });

  it('leaves no timer behind when it ends before totalMs', async () => {
    const timers = await holdTimers();
    const { promise, resolve } = Promise.withResolvers<ServerResponse>();
    const vendor = await openVendor(resolve, { totalMs: 123_456 });
    const answering = vendor.send();
    const response = await promise;
    response.write('drip');
    const told = openEnd((await answering).body);
    await timers.isSet(123_456);
    const before = vi.getTimerCount();
    response.end();
    await told.closed;
    expect(vi.getTimerCount()).toBe(before - 1);
  });

  it('frees its connection for later requests', async () => {
    const vendor = await openVendor((response) => response.end('done'));
    for (let call = 0; call < 20; call++) await listen((await vendor.send()).body).closed;
    // A request in the same turn in which an answer ends may find its connection not free yet.
    expect(vendor.connections()).toBeLessThanOrEqual(2);
  });
});

describe('a request to an upstream', () => {
  it('fails when the caller disconnects before the answer', async () => {
    const gone = new EventEmitter();
    const vendor = await openVendor(() => gone.emit('abort'));
    await expect(vendor.send({ gone })).rejects.toMatchObject({ code: 'upstream_error', cause: { name: 'AbortError' } });
  });

  it('G6: stays unsent when the caller disconnects before there is a connection, even with draining', async () => {
    const left = new EventEmitter();
    let asked = 0;
    const vendor = await openVendor((response) => {
      asked += 1;
      response.end();
    });
    const sending = vendor.send({ left });
    left.emit('abort');
    await expect(sending).rejects.toMatchObject({ code: 'overloaded' });
    (await vendor.send()).body.destroy();
    expect(asked).toBe(1);
  });

  it('ignores interim responses', async () => {
    const vendor = await openVendor((response) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload' });
      response.writeHead(202).end('later');
    });
    const { status, body } = await vendor.send();
    const heard = listen(body);
    await heard.closed;
    expect([status, text(heard)]).toEqual([202, 'later(end)(close)']);
  });

  it('fails when the vendor closes the connection', async () => {
    const vendor = await openVendor((response) => response.destroy());
    await expect(vendor.send()).rejects.toMatchObject({ code: 'upstream_error' });
  });
});
