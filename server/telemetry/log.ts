/** The log: JSON lines on stderr, one for each request, and the fields that they may have; never a header, body or address. */

import { write, writeSync } from 'node:fs';
import { type DestinationStream, type LogFn, type Logger, pino } from 'pino';
import type { ErrorCode } from '../../contract/errors.ts';
import type { Config, UpstreamConfig } from '../config/config.ts';
import { telemetryNameOf } from '../config/schema.ts';

export type Log = Logger;

/** Large enough for a burst, and bounded because the process that reads stderr may stall. */
const MAX_BUFFERED_BYTES = 8 * 1024 * 1024;

/** Where the lines of a log go. */
const destinations = new WeakMap<Log, DestinationStream>();

export function openLog(config: Pick<Config, 'log'>, destination: DestinationStream = openStderr()): Log {
  const log: Log = pino(
    {
      level: config.log.level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: {
        err: describeError,
        req: (request: unknown) => ({ method: textAt(request, 'method'), route: textAt(valueAt(request, 'routeOptions'), 'url') }),
        res: (reply: unknown) => ({ statusCode: valueAt(reply, 'statusCode') }),
        ...withheld,
      },
      hooks: { logMethod: nameErrors },
    },
    destination,
  );
  destinations.set(log, destination);
  return log;
}

/** One write per line cost a sixth of a request, so lines are buffered, at most this long. */
const FLUSH_MS = 200;
const GATHERED_BYTES = 64 * 1024;

/** stdout belongs to the banner. */
export const openStderr = (isShared = false): LineSink =>
  openSink({ to: 2, flushMs: FLUSH_MS, gathered: GATHERED_BYTES, most: MAX_BUFFERED_BYTES, isShared });

/** Without a message, pino would use that of the error and bypass the serializer that may withhold it. */
function nameErrors(this: Logger, args: Parameters<LogFn>, method: LogFn): void {
  const [subject, message] = args;
  const bare = message === undefined && (subject instanceof Error || valueAt(subject, 'err') instanceof Error);
  if (bare) method.apply(this, [subject, 'error']);
  else method.apply(this, args);
}

/** Field names with secrets or prompts. Nobody should log them; if somebody does, the value is removed. */
const withheld = Object.fromEntries(
  ['headers', 'rawHeaders', 'authorization', 'body', 'apiKey', 'key', 'pepper', 'config', 'url', 'messages', 'input', 'prompt'].map(
    (name) => [name, () => '[withheld]'],
  ),
);

export type RequestEnd = 'completed' | 'incomplete' | 'failed' | 'rejected' | 'client_disconnected';

/** The only fields that are logged about a request. */
export interface RequestLine {
  readonly id: string;
  readonly keyId?: string | undefined;
  readonly accountId?: string | undefined;
  readonly method: string;
  /** The route pattern, never the address itself. */
  readonly route: string;
  /** An id of the catalog, never the caller's text. */
  readonly model?: string | undefined;
  readonly upstream?: string | undefined;
  /** Protocol of the upstream, if it differs from the caller's. */
  readonly protocol?: string | undefined;
  readonly status: number;
  readonly code?: ErrorCode | undefined;
  /** Last failed attempt: upstream, status, and the provider's code and message without keys. */
  readonly upstreamError?: string | undefined;
  /** Number of attempts at upstreams. */
  readonly attempts?: number | undefined;
  readonly durationMs: number;
  readonly firstEventMs?: number | undefined;
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  /** Charge in dollars. */
  readonly cost?: string | undefined;
  /** Fields of the request that were not sent to the upstream, as in the header `x-modelgate-ignored`. */
  readonly ignored?: readonly string[] | undefined;
  readonly end: RequestEnd;
}

/** Copies the known fields only, so that other fields of the object are never logged. One JSON.stringify for all: field by field, as pino does it, costs a twentieth of a small call. */
export function requestLine(log: Log, line: RequestLine): void {
  const level = line.status >= 500 || line.end === 'failed' ? 'warn' : 'info';
  if (!log.isLevelEnabled(level)) return;
  const fields: { [Name in keyof Required<RequestLine>]: RequestLine[Name] } & Readonly<Record<'level' | 'time' | 'msg', string>> = {
    level,
    time: new Date().toISOString(),
    id: line.id,
    keyId: line.keyId,
    accountId: line.accountId,
    method: line.method,
    route: line.route,
    model: line.model,
    upstream: line.upstream,
    protocol: line.protocol,
    status: line.status,
    code: line.code,
    upstreamError: line.upstreamError,
    attempts: line.attempts,
    durationMs: line.durationMs,
    firstEventMs: line.firstEventMs,
    inputTokens: line.inputTokens,
    outputTokens: line.outputTokens,
    cost: line.cost,
    ignored: line.ignored,
    end: line.end,
    msg: 'request',
  };
  destinations.get(log)?.write(`${JSON.stringify(fields)}\n`);
}

const MAX_MESSAGE_LENGTH = 300;
const MAX_FRAMES = 8;
const MAX_CAUSES = 3;

/** Type, code, message, stack and causes. */
function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return { type: typeof error };
  const { cause } = error;
  return {
    type: error.name,
    code: valueAt(error, 'code'),
    message: safeMessage(error),
    frames: frames(error.stack),
    cause: cause === undefined || depth >= MAX_CAUSES ? undefined : describeError(cause, depth + 1),
  };
}

/** A SyntaxError of JSON.parse quotes the text, which may be a prompt. */
function safeMessage(error: Error): string {
  if (error instanceof SyntaxError) return '[withheld: it quotes the text that could not be parsed]';
  return error.message
    .slice(0, MAX_MESSAGE_LENGTH)
    .replaceAll(/\bBearer\s+\S+/gi, 'Bearer ***')
    .replaceAll(/\b(mga?|sk)-[\w-]{8,}/g, '$1-***');
}

function frames(stack: string | undefined): string[] {
  const lines = (stack ?? '').split('\n').map((line) => line.trim());
  return lines.filter((line) => line.startsWith('at ')).slice(0, MAX_FRAMES);
}

function valueAt(value: unknown, key: string): unknown {
  // `as`: the log accepts any value; only a property of an object is read.
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}

function textAt(value: unknown, key: string): string | undefined {
  const text = valueAt(value, key);
  return typeof text === 'string' ? text : undefined;
}

/** The destination of a pino logger; it gets one line at a time. */
export interface LineSink {
  write(line: string): void;
}

interface SinkOptions {
  /** A file descriptor. */
  readonly to: number;
  /** A line is written after at most this time. */
  readonly flushMs: number;
  /** With this many characters in the buffer, they are written without waiting. */
  readonly gathered: number;
  /** The most characters that may wait; lines beyond that are lost. */
  readonly most: number;
  /** Whether other processes write there too: a write is then so small that a pipe takes it whole, and ends with a line. */
  readonly isShared?: boolean;
}

/** At its end the process waits this long for a slow reader. */
const LAST_MS = 1_000;
const PAUSE_MS = 20;

/** Lives as long as the process. A write to a full disk is retried; a closed pipe is not. */
export function openSink({ to, flushMs, gathered, most, isShared = false }: SinkOptions): LineSink {
  let waiting = '';
  /** The data that is being written, or whose write failed. */
  let rest: Buffer = Buffer.alloc(0);
  let isWriting = false;
  let isOver = false;
  const take = (): Buffer => {
    if (rest.length === 0) [rest, waiting] = [Buffer.from(waiting), ''];
    return rest;
  };
  const flush = (): void => {
    if (isWriting || isOver || take().length === 0) return;
    isWriting = true;
    write(to, isShared ? wholeLines(rest) : rest, (error, written) => {
      isWriting = false;
      rest = rest.subarray(error ? 0 : written);
      if (error) isOver = error.code === 'EPIPE';
      else if (rest.length > 0 || waiting.length >= gathered) flush();
    });
  };
  setInterval(flush, flushMs).unref();
  process.on('exit', () => {
    // Data that is being written would be written twice.
    if (isWriting) rest = Buffer.alloc(0);
    const until = performance.now() + LAST_MS;
    while (!isOver && take().length > 0) {
      const written = tryNow(to, rest);
      rest = rest.subarray(written ?? 0);
      isOver = written === null || performance.now() > until;
    }
  });
  return {
    write(line) {
      if (isOver || waiting.length + rest.length + line.length > most) return;
      waiting += line;
      if (waiting.length >= gathered) flush();
    },
  };
}

/** In bytes: more than that is written to a pipe in parts, between which others may write (POSIX's PIPE_BUF on Linux). */
const MAX_BATCH = 4_096;

/** As many lines from the start as are written in one piece; a longer line alone. */
function wholeLines(bytes: Buffer): Buffer {
  if (bytes.length <= MAX_BATCH) return bytes;
  const last = bytes.lastIndexOf('\n', MAX_BATCH - 1);
  const end = last >= 0 ? last : bytes.indexOf('\n');
  return end < 0 ? bytes : bytes.subarray(0, end + 1);
}

/** The number of bytes written; null when no more can be written. */
function tryNow(to: number, bytes: Buffer): number | null {
  try {
    return writeSync(to, bytes);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) return null;
    // Blocking is fine here: nothing else runs any more.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    return 0;
  }
}

/** One attempt at an upstream. */
export interface AttemptRecord {
  /** The name of the upstream. */
  readonly upstream: string;
  /** Null where no answer came. */
  readonly status: number | null;
  /** Null where it went well. */
  readonly code: ErrorCode | null;
  readonly ms: number;
  /** The protocol, where the caller's was passed over. */
  readonly protocol?: string;
  /** The provider's code and message for operators. Absent if it sent none. */
  readonly said?: { readonly code: string | null; readonly message: string | null };
}

/** It was not called: its concurrency limit was reached. */
export const wasFull = ({ status, code }: AttemptRecord): boolean => status === null && code === 'overloaded';

/** Reasons for load shedding. */
export type Excess = 'loop delay' | 'memory';

/** A request that has ended. */
export interface RequestRecord {
  readonly line: RequestLine;
  readonly attempts: readonly AttemptRecord[];
  /** Whether the request was repeated over the other protocol, since the provider rejected the caller's. */
  readonly isTurned: boolean;
  /** The upstream that answered. */
  readonly provider: UpstreamConfig | undefined;
  /** In micro-dollars. */
  readonly cost: bigint | null;
  /** The reason for load shedding, when the request was rejected for it. */
  readonly shed: Excess | null;
  /** How the drain ended after the caller had disconnected; null when there was none. */
  readonly drained: 'completed' | 'cut' | null;
  readonly rejectedBy: { readonly scope: string; readonly quantity: string } | null;
}

/** The spans of one request. */
export interface RequestTrace {
  /** Call it when an attempt begins. Returns the `traceparent` to send; undefined when none is sent. */
  beginAttempt(upstream: string): string | undefined;
  end(record: RequestRecord): void;
}

/** The state for one model at one upstream, by the name of the model there. */
export interface BreakerState {
  readonly upstream: string;
  readonly upstreamModel: string;
  readonly state: 'closed' | 'half_open' | 'open';
}

/** What is read when the metrics are collected. */
export interface Watched {
  streamsOpen(): number;
  /** Null when billing is off. */
  holdsOpen(): number | null;
  outboxWaiting(): number | null;
  /** Null without Redis. */
  isLimitShared(): boolean | null;
  breakers(): Iterable<BreakerState>;
}

export interface MetricsAddress {
  readonly host: string;
  readonly port: number;
}

export interface Telemetry {
  /** Null when traces are off. `traceparent` as the caller sent it. */
  readonly beginTrace:
    | ((request: { readonly method: string; readonly route: string; readonly traceparent: unknown }) => RequestTrace)
    | null;
  record(record: RequestRecord): void;
  /** Serves `GET /metrics` and returns its origin, without the path; null when it is off. */
  readonly listen: ((place: MetricsAddress) => Promise<string>) | null;
  /** The metrics as text for Prometheus; null when they are not served. */
  readonly scrape: (() => Promise<string>) | null;
  /** Pushes the rest, and closes the listener. */
  close(): Promise<void>;
}

/** GenAI operations by route pattern; other routes are none. */
const operations: Readonly<Record<string, string>> = {
  '/v1/chat/completions': 'chat',
  '/v1/responses': 'chat',
  '/v1/images/generations': 'generate_content',
  '/v1/images/edits': 'generate_content',
  '/portal/v1/playground/chat/completions': 'chat',
  '/portal/v1/playground/responses': 'chat',
  '/portal/v1/playground/images/generations': 'generate_content',
  '/portal/v1/playground/images/edits': 'generate_content',
};

/** Label for unknown models, so that callers can't create labels (F54). */
export const UNKNOWN = 'unknown';

export const operationOf = ({ line }: RequestRecord): string | undefined => (line.method === 'POST' ? operations[line.route] : undefined);

export const providerOf = ({ provider }: RequestRecord): string => (provider === undefined ? UNKNOWN : telemetryNameOf(provider));

/** Undefined when it succeeded. */
export const errorTypeOf = ({ line }: RequestRecord): string | undefined =>
  line.code ?? (line.end === 'completed' || line.end === 'incomplete' ? undefined : line.end);
