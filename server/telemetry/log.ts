/** Opens the log: JSON lines on stderr, with errors as fields, but never a header, body, or address. */
import { type DestinationStream, type LogFn, type Logger, pino } from 'pino';
import type { Config } from '../config/config.ts';
import { type LineSink, openSink } from './line-sink.ts';

export type Log = Logger;

/** Large enough for a burst, and bounded because the process that reads stderr may stall. */
const MAX_BUFFERED_BYTES = 8 * 1024 * 1024;

/** The destination of each log. */
export const destinations = new WeakMap<Log, DestinationStream>();

export function openLog(config: Pick<Config, 'log'>, destination: DestinationStream = openStderr()): Log {
  const log: Log = pino(
    {
      level: config.log.level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: {
        err: describeError,
        req: (request: unknown) => ({ method: getTextAt(request, 'method'), route: getTextAt(getValueAt(request, 'routeOptions'), 'url') }),
        res: (reply: unknown) => ({ statusCode: getValueAt(reply, 'statusCode') }),
        ...redactors,
      },
      hooks: { logMethod: addErrorMessage },
    },
    destination,
  );
  destinations.set(log, destination);
  return log;
}

/** One write per line cost a sixth of a request, so lines are buffered, at most this long. */
const FLUSH_MS = 200;
const FLUSH_LENGTH = 64 * 1024;

let stderr: LineSink | undefined;

/** Uses stderr, because the banner uses stdout. All gateways of a process share it, because it stays open as long as the process. */
export function openStderr(isShared = false): LineSink {
  stderr ??= openSink({ to: 2, flushMs: FLUSH_MS, gathered: FLUSH_LENGTH, most: MAX_BUFFERED_BYTES, isShared });
  return stderr;
}

/** Without a message, pino would use the error's message and bypass the serializer that may withhold it. */
function addErrorMessage(this: Logger, args: Parameters<LogFn>, method: LogFn): void {
  const [subject, message] = args;
  const hasNoMessage = message === undefined && (subject instanceof Error || getValueAt(subject, 'err') instanceof Error);
  if (hasNoMessage) method.apply(this, [subject, 'error']);
  else method.apply(this, args);
}

/** Names of fields with secrets or prompts. Code shouldn't log them, but if it does, the value is removed. */
const redactors = Object.fromEntries(
  ['headers', 'rawHeaders', 'authorization', 'body', 'apiKey', 'key', 'pepper', 'config', 'url', 'messages', 'input', 'prompt'].map(
    (name) => [name, () => '[withheld]'],
  ),
);

const MAX_MESSAGE_LENGTH = 300;
const MAX_FRAMES = 8;
const MAX_CAUSES = 3;

/** Describes an error with type, code, message, stack and causes. */
function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return { type: typeof error };
  const { cause } = error;
  return {
    type: error.name,
    code: getValueAt(error, 'code'),
    message: getSafeMessage(error),
    frames: listFrames(error.stack),
    cause: cause === undefined || depth >= MAX_CAUSES ? undefined : describeError(cause, depth + 1),
  };
}

/** A SyntaxError from JSON.parse quotes the text, which may be a prompt. */
function getSafeMessage(error: Error): string {
  if (error instanceof SyntaxError) return '[withheld: it quotes the text that could not be parsed]';
  return error.message
    .slice(0, MAX_MESSAGE_LENGTH)
    .replaceAll(/\bBearer\s+\S+/gi, 'Bearer ***')
    .replaceAll(/\b(mga?|sk)-[\w-]{8,}/g, '$1-***');
}

function listFrames(stack: string | undefined): string[] {
  const lines = (stack ?? '').split('\n').map((line) => line.trim());
  return lines.filter((line) => line.startsWith('at ')).slice(0, MAX_FRAMES);
}

function getValueAt(value: unknown, key: string): unknown {
  // `as`: the log accepts any value, and this only reads a property of an object.
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}

function getTextAt(value: unknown, key: string): string | undefined {
  const text = getValueAt(value, key);
  return typeof text === 'string' ? text : undefined;
}
