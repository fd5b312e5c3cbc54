/** Builds messages in AWS's event-stream format, as Bedrock sends them. */
import { crc32 } from 'node:zlib';

export type EventHeaders = Readonly<Record<string, string>>;

/** One message. All headers are strings. */
export const eventMessage = (headers: EventHeaders, payload: string | Buffer = ''): Buffer =>
  framed(Buffer.concat(Object.entries(headers).map(([name, value]) => header(name, value))), Buffer.from(payload));

/** A message with these bytes as headers. */
export function framed(headers: Buffer, payload: Buffer): Buffer {
  const prelude = Buffer.concat([number(16 + headers.length + payload.length, 4), number(headers.length, 4)]);
  const whole = Buffer.concat([prelude, number(crc32(prelude), 4), headers, payload]);
  return Buffer.concat([whole, number(crc32(whole), 4)]);
}

/** A message with an event of a model, with padding. */
export const modelEvent = (event: unknown): Buffer =>
  eventMessage(
    { ':event-type': 'chunk', ':content-type': 'application/json', ':message-type': 'event' },
    JSON.stringify({ bytes: Buffer.from(typeof event === 'string' ? event : JSON.stringify(event)).toString('base64'), p: 'abcdefghij' }),
  );

export const exceptionMessage = (name: string, message: string): Buffer =>
  eventMessage({ ':exception-type': name, ':content-type': 'application/json', ':message-type': 'exception' }, JSON.stringify({ message }));

function header(name: string, value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([number(name.length, 1), Buffer.from(name), number(7, 1), number(bytes.length, 2), bytes]);
}

function number(value: number, bytes: 1 | 2 | 4): Buffer {
  const field = Buffer.alloc(bytes);
  field.writeUIntBE(value, 0, bytes);
  return field;
}
