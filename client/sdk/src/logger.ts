/** Logs each attempt of a request. Never logs the key, headers, or bodies. */
import type { ModelgateError } from './errors.ts';

/** The lowest level to log: `debug` logs every entry, `off` none. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'off';

/** The methods of a logger such as `console`. Each entry is a message and an object with its fields. */
export type Logger = Readonly<Record<Exclude<LogLevel, 'off'>, (message: string, fields: LogFields) => void>>;

/** The fields of an entry. Undefined fields don't apply. */
export interface LogFields {
  readonly method: string;
  /** Path with the query. */
  readonly path: string;
  readonly status?: number | undefined;
  /** Request ID (`x-request-id`); null or undefined if no response of the gateway arrived. */
  readonly requestId?: string | null | undefined;
  /** Time until the response started, or until the attempt failed, in milliseconds. */
  readonly durationMs?: number | undefined;
  /** Name of the error. */
  readonly error?: string | undefined;
  /** Code of the error. Without a response, its message, because a response's message can quote the request. */
  readonly reason?: string | null | undefined;
  /** Wait before the next attempt, in milliseconds. Undefined if there's none. */
  readonly retryInMs?: number | undefined;
}

/** The client's options for its log, with defaults applied. */
export interface LogSettings {
  readonly logger: Logger | undefined;
  readonly logLevel: LogLevel;
}

const levels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'off'];

/** @internal */
export function log({ logger, logLevel }: LogSettings, level: keyof Logger, message: string, fields: LogFields): void {
  if (levels.indexOf(level) >= levels.indexOf(logLevel)) logger?.[level](message, fields);
}

/** @internal */
export const toErrorFields = ({ name, status, requestId, code, message }: ModelgateError) => ({
  status,
  requestId,
  error: name,
  reason: status ? code : message,
});
