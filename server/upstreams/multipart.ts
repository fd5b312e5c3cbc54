/** Writes an image edit as multipart/form-data, the files byte-exact. */
import { randomUUID } from 'node:crypto';
import type { FormBody, ImageFile } from './upstream.ts';

export interface EncodedForm {
  readonly contentType: string;
  readonly length: number;
  readonly pieces: readonly Buffer[];
}

/** Values that a form field can hold as text; objects and lists are left out. */
const isText = (value: unknown): value is string | number | boolean => ['string', 'number', 'boolean'].includes(typeof value);

const quote = (name: string) => name.replace(/["\r\n]/g, (c) => ({ '"': '%22', '\r': '%0D', '\n': '%0A' })[c] ?? c);

export function encodeForm(form: FormBody): EncodedForm {
  const boundary = `modelgate-${randomUUID()}`;
  const pieces: Buffer[] = [];
  const head = (disposition: string, type = '') =>
    pieces.push(Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; ${disposition}${type}\r\n\r\n`));
  const tail = () => pieces.push(Buffer.from('\r\n'));
  const file = (name: string, { filename, contentType, bytes }: ImageFile) => {
    head(`name="${name}"; filename="${quote(filename)}"`, `\r\ncontent-type: ${contentType}`);
    pieces.push(bytes);
    tail();
  };
  for (const [name, value] of Object.entries(form.value)) {
    if (!isText(value)) continue;
    head(`name="${quote(name)}"`);
    pieces.push(Buffer.from(String(value)));
    tail();
  }
  for (const image of form.images) file(form.images.length === 1 ? 'image' : 'image[]', image);
  if (form.mask) file('mask', form.mask);
  pieces.push(Buffer.from(`--${boundary}--\r\n`));
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return { contentType: `multipart/form-data; boundary=${boundary}`, length, pieces };
}
