/** Scripts for failures that real vendors have shown. */
import { gzipSync } from 'node:zlib';
import { chatFrames } from './chat.ts';
import { body, type Delivery, json, stream } from './delivery.ts';
import type { Frame } from './frames.ts';
import type { HeaderValues, Script } from './script.ts';

export interface Failure {
  readonly message?: string;
  readonly type?: string;
  readonly param?: string | null;
  readonly code?: string | number | null;
  readonly headers?: HeaderValues;
}

/** An error answer in the vendor's envelope, with the given status. */
export function failure(status: number, { message, type, param, code, headers }: Failure = {}): Script {
  const error = {
    message: message ?? `The fake vendor answers ${status}.`,
    type: type ?? (status >= 500 ? 'server_error' : 'invalid_request_error'),
    param: param ?? null,
    code: code ?? null,
  };
  return json({ error }, { status, ...(headers && { headers }) });
}

/** An HTML page in place of JSON or events; status 200 unless `delivery` names another. */
export function html(text = '<!doctype html><title>Hello</title><h1>502 Bad Gateway</h1>', delivery: Delivery = {}): Script {
  return body(text, 'text/html; charset=utf-8', delivery);
}

export function redirect(location: string, status = 307): Script {
  return body('', 'text/plain', { status, headers: { location } });
}

/** Accepts the request and never answers, not even with headers. */
export const silence: Script = [{ kind: 'stall' }];
/** Closes the connection without an answer. */
export const hangUp: Script = [{ kind: 'cut' }];
export const reset: Script = [{ kind: 'reset' }];
/** Bytes that are not HTTP. */
export const garbage: Script = raw('\u0000\u0001 this is not HTTP \r\n\r\n');

/** Sends bytes on the socket, then FIN, for headers that no HTTP library writes. */
export function raw(bytes: string | Uint8Array): Script {
  return [{ kind: 'raw', bytes: Buffer.from(bytes) }, { kind: 'cut' }];
}

/** JSON with `content-encoding: gzip`, whether the request accepts it or not. */
export function gzipped(value: unknown, delivery: Delivery = {}): Script {
  const packed = gzipSync(typeof value === 'string' ? value : JSON.stringify(value));
  return json(packed, { ...delivery, headers: { 'content-encoding': 'gzip', ...delivery.headers } });
}

/** A body of `megabytes` that is compressed to about a thousandth. */
export function gzipBomb(megabytes: number): Script {
  return gzipped(`{"x":"${' '.repeat(megabytes * 1024 * 1024)}"}`);
}

/** Repeats one frame without end, as fast as the socket accepts it. */
export function firehose(frame: Frame, times: number, delivery: Delivery = {}): Script {
  const [start, only, ...rest] = stream([frame], delivery);
  if (start === undefined || only?.kind !== 'write') throw new Error('a firehose needs a frame of bytes');
  return [start, { ...only, times }, ...rest];
}

/** A chat stream whose second event is one line of at least `bytes`. */
export function longLine(bytes: number, delivery: Delivery = {}): Script {
  return stream(chatFrames({ text: ['', 'x'.repeat(bytes)] }), delivery);
}

/** Runs the script after a number of milliseconds, or when a promise of the test resolves. */
export function later(wait: number | Promise<unknown>, script: Script): Script {
  return [typeof wait === 'number' ? { kind: 'wait', ms: wait } : { kind: 'until', gate: wait }, ...script];
}
