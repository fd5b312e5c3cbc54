/** The log: JSON lines on stderr, one for each request, and the fields that they may have; never a header, body or address. */
import { type DestinationStream, type LogFn, type Logger, pino } from 'pino';
import type { ErrorCode } from '../../contract/errors.ts';
import type { Config } from '../config/config.ts';
import { type LineSink, openSink } from './stderr.ts';

export type Log = Logger;

/** Enough for a burst; bounded, because a reader of stderr may hang. */
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

export type RequestEnd = 'completed' | 'incomplete' | 'failed' | 'refused' | 'client_gone';

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
  readonly status: number;
  readonly code?: ErrorCode | undefined;
  /** Of the last failed attempt: upstream, status, and the vendor's code and message without keys. */
  readonly upstreamError?: string | undefined;
  /** Number of attempts at upstreams. */
  readonly attempts?: number | undefined;
  readonly durationMs: number;
  readonly firstEventMs?: number | undefined;
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  /** In dollars, as it was charged. */
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
export function describeError(error: unknown, depth = 0): unknown {
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
