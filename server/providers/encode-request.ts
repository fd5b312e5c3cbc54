/** Encodes a request to an upstream: its path, headers, and body, as JSON or as a form. */

import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { HeaderLines, SignableRequest } from './credentials.ts';
import { type Envelope, getRequestPath } from './envelope.ts';
import type { FormBody, ImageFile, UpstreamRequest } from './upstream.ts';

/** Whether a form field can hold the value as text. Objects and lists are omitted. */
const isText = (value: unknown): value is string | number | boolean => ['string', 'number', 'boolean'].includes(typeof value);

const escapeName = (name: string) => name.replace(/["\r\n]/g, (c) => ({ '"': '%22', '\r': '%0D', '\n': '%0A' })[c] ?? c);

function encodeForm(form: FormBody): { contentType: string; length: number; pieces: readonly Buffer[] } {
  const boundary = `modelgate-${randomUUID()}`;
  const pieces: Buffer[] = [];
  const writeHead = (disposition: string, type = '') =>
    pieces.push(Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; ${disposition}${type}\r\n\r\n`));
  const writeTail = () => pieces.push(Buffer.from('\r\n'));
  const writeFile = (name: string, { filename, contentType, bytes }: ImageFile) => {
    writeHead(`name="${name}"; filename="${escapeName(filename)}"`, `\r\ncontent-type: ${contentType}`);
    pieces.push(bytes);
    writeTail();
  };
  for (const [name, value] of Object.entries(form.value)) {
    if (!isText(value)) continue;
    writeHead(`name="${escapeName(name)}"`);
    pieces.push(Buffer.from(String(value)));
    writeTail();
  }
  for (const image of form.images) writeFile(form.images.length === 1 ? 'image' : 'image[]', image);
  for (const [name, overlay] of Object.entries(form.overlays)) writeFile(name, overlay);
  pieces.push(Buffer.from(`--${boundary}--\r\n`));
  const length = pieces.reduce((total, piece) => total + piece.length, 0);
  return { contentType: `multipart/form-data; boundary=${boundary}`, length, pieces };
}

export interface EncodedRequest extends SignableRequest {
  /** The body for undici. A form can be sent only once. */
  readonly sent: Buffer | Readable;
  readonly headers: HeaderLines;
}

/** Where an upstream's requests go. */
export interface HttpDestination {
  readonly host: string;
  /** The path of the base URL, without a trailing slash. */
  readonly prefix: string;
  readonly envelope: Envelope | null;
}

const jsonHeaders: HeaderLines = ['content-type', 'application/json'];

export function encodeRequest({ host, prefix, envelope }: HttpDestination, request: UpstreamRequest): EncodedRequest {
  const path = prefix + (envelope ? envelope.getPath(request) : getRequestPath(request));
  const { body } = request;
  if (body.kind === 'json') {
    const bytes = envelope?.wrapBody ? envelope.wrapBody(body) : body.bytes;
    return { method: 'POST', path, host, contentType: 'application/json', body: bytes, sent: bytes, headers: jsonHeaders };
  }
  const form = encodeForm(body);
  const formStream = Readable.from(form.pieces, { objectMode: false });
  const headers = ['content-type', form.contentType, 'content-length', String(form.length)];
  return { method: 'POST', path, host, contentType: form.contentType, body: null, sent: formStream, headers };
}
