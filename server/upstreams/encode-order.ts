/** A request in the bytes of the wire: its path, its body, and the headers that belong to the body. */
import { Readable } from 'node:stream';
import type { Lines, Order } from './credentials.ts';
import type { Envelope } from './envelopes/envelope.ts';
import { encodeForm } from './multipart.ts';
import { pathOf } from './path.ts';
import type { UpstreamRequest } from './upstream.ts';

export interface EncodedOrder extends Order {
  /** The body for undici; a form can be sent once. */
  readonly sent: Buffer | Readable;
  readonly headers: Lines;
}

/** Where the requests of an upstream go. */
export interface Destination {
  readonly host: string;
  /** The path of the base URL, without a slash at its end. */
  readonly prefix: string;
  readonly envelope: Envelope | null;
}

const jsonHeaders: Lines = ['content-type', 'application/json'];

export function encodeOrder({ host, prefix, envelope }: Destination, request: UpstreamRequest): EncodedOrder {
  const path = prefix + (envelope ? envelope.path(request) : pathOf(request));
  const { body } = request;
  if (body.kind === 'json') {
    const bytes = envelope?.body ? envelope.body(body) : body.bytes;
    return { method: 'POST', path, host, contentType: 'application/json', body: bytes, sent: bytes, headers: jsonHeaders };
  }
  const form = encodeForm(body);
  const sent = Readable.from(form.pieces, { objectMode: false });
  const headers = ['content-type', form.contentType, 'content-length', String(form.length)];
  return { method: 'POST', path, host, contentType: form.contentType, body: null, sent, headers };
}
