/** Collects the body of a response, complete or only its start. */

import { type CallCode, GatewayError } from '../primitives/errors.ts';
import { createInterruptedError } from './send-error.ts';
import type { ResponseBody } from './upstream.ts';

/** Uses events: an async iterator costs several times as much, and this runs for every complete response. */
function collectChunks(body: ResponseBody, hasEnough: (size: number) => boolean): Promise<readonly Buffer[]> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    body.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (!hasEnough(size)) return;
      body.destroy();
      resolve(chunks);
    });
    body.on('end', () => resolve(chunks));
    body.on('error', reject);
    body.on('close', () => {
      if (!body.readableEnded) reject(createInterruptedError());
    });
  });
}

const concatChunks = (chunks: readonly Buffer[]): Buffer => (chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));

export function collectBody(body: ResponseBody, maxBytes: number): Promise<Buffer> {
  return collectChunks(body, (size) => size > maxBytes).then((chunks) => {
    const bytes = concatChunks(chunks);
    if (bytes.length > maxBytes) throw new GatewayError<CallCode>('upstream_error', { message: "The upstream's response is too large." });
    return bytes;
  });
}

/** Returns the start of a body as text, to read an error from. Empty if the connection breaks, since the status is already known. */
export async function collectBodyStart(body: ResponseBody, maxBytes: number): Promise<string> {
  const chunks = await collectChunks(body, (size) => size >= maxBytes).catch(() => []);
  return concatChunks(chunks).toString('utf8', 0, maxBytes);
}
