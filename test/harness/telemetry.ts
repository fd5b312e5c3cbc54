/** Reads the gateway's telemetry as an operator's tools do: scrapes metrics like Prometheus, and collects pushed OTLP data. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { expect } from 'vitest';
import { unhurried } from './gateway.ts';
import { type GatewayProcess, setUp } from './gateway-process.ts';
import { hangLimitMs } from './hang-limit.ts';

export interface Scraped {
  readonly text: string;
  /** The lines of all series, with their labels. */
  readonly series: ReadonlyMap<string, number>;
  /** Sum over the series of this name whose line has all of these labels, written `name="value"`. */
  sum(name: string, ...labels: readonly string[]): number;
}

export async function scrape(origin: string): Promise<Scraped> {
  const answer = await fetch(`${origin}/metrics`);
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`the metrics answered ${answer.status}: ${text}`);
  const series = new Map(text.split('\n').flatMap(readSeries));
  const sum = (name: string, ...labels: readonly string[]): number =>
    [...series]
      .filter(([key]) => isOf(key, name) && labels.every((label) => key.includes(label)))
      .reduce((all, [, value]) => all + value, 0);
  return { text, series, sum };
}

const isOf = (series: string, name: string): boolean => series === name || series.startsWith(`${name}{`);

function readSeries(line: string): [string, number][] {
  const found = /^([a-zA-Z_:][\w:]*(?:\{.*\})?) (\S+)$/.exec(line);
  return found?.[1] === undefined ? [] : [[found[1], Number(found[2])]];
}

export interface Attributed {
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}
export interface PushedSpan extends Attributed {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status: { readonly code?: number };
}

export interface Collector {
  /** Value for OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string;
  /** Received bodies by path, in order. */
  readonly pushed: { readonly path: string; readonly body: unknown }[];
  spans(): PushedSpan[];
  /** Resolves when the condition is true. */
  until(isSo: () => boolean): Promise<void>;
  close(): Promise<void>;
}

export async function openCollector(): Promise<Collector> {
  const pushed: { path: string; body: unknown }[] = [];
  const take = async (request: IncomingMessage): Promise<void> => {
    pushed.push({ path: request.url ?? '', body: await json(request) });
    server.emit('pushed');
  };
  const server = createServer((request, response) => {
    void take(request).then(() => response.setHeader('content-type', 'application/json').end('{}'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const spans = (): PushedSpan[] => pushed.filter(({ path }) => path === '/v1/traces').flatMap(({ body }) => listsOf(body, 'spans'));
  return {
    // A listening TCP server has an address with a port.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pushed,
    spans,
    async until(isSo) {
      const signal = AbortSignal.timeout(hangLimitMs);
      while (!isSo()) await once(server, 'pushed', { signal });
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** All entries of lists with this name, at any depth: OTLP nests data by resource and scope. */
function listsOf(value: unknown, name: string): PushedSpan[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    // By the protocol, a list of spans contains spans.
    key === name && Array.isArray(inner) ? (inner as PushedSpan[]) : listsOf(inner, name),
  );
}

/** The value of an attribute of any type. */
export function attributeOf({ attributes }: Attributed, name: string): unknown {
  const value = attributes.find(({ key }) => key === name)?.value;
  return value && Object.values(value)[0];
}

export interface Watched {
  readonly served: GatewayProcess;
  readonly metrics: () => Promise<Scraped>;
  /** Sends a chat request. */
  readonly call: (body: object, init?: CallInit) => Promise<Response>;
  /** Resolves when so many calls are counted, which is shortly after their callers have read the end. */
  readonly counted: (calls: number) => Promise<void>;
}

interface CallInit {
  readonly key?: string;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

export interface Watching {
  /** Settings as in modelgate.yaml; metrics are on. */
  readonly settings: object;
  /** Environment variables such as `NAME=value`. */
  readonly env?: readonly string[];
}

/** Starts a gateway process whose metrics can be read. */
export async function openWatched({ settings, env = [] }: Watching): Promise<Watched> {
  const always = { admin: { enabled: false }, metrics: { enabled: true, port: 0 }, routing: { maxAttempts: 3 } };
  const served = await setUp({ settings: unhurried({ ...always, ...settings }), under: ['env', ...env] });
  await served.run();
  const originOf = (): unknown => served.logged('metrics listener started')[0]?.origin;
  await expect.poll(originOf).toBeTypeOf('string');
  const metrics = (): Promise<Scraped> => scrape(String(originOf()));
  const calls = async (): Promise<number> => (await metrics()).sum('modelgate_requests_total', 'route="/v1/chat/completions"');
  return {
    served,
    metrics,
    counted: (count) => expect.poll(calls).toBe(count),
    call: (body, { key = served.key, headers = {}, signal } = {}) =>
      fetch(`${served.origin}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
        ...(signal && { signal }),
      }),
  };
}
