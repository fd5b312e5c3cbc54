/** Reads a whole body into memory, up to a limit. */
import type { Readable } from 'node:stream';
import { GatewayError } from '../errors.ts';

export async function collect(body: Readable, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new GatewayError('upstream_error', { message: 'The answer of the upstream is too large.' });
    chunks.push(chunk);
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size);
}

/** The first bytes of a body as text, for reading an error; never fails. */
export async function collectStart(body: Readable, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= maxBytes) break;
    }
  } catch {
    // The status is known; a body that breaks off adds nothing.
  }
  return Buffer.concat(chunks).toString('utf8', 0, maxBytes);
}
