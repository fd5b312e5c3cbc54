/** Reads a whole body into memory, up to a limit. */
import { type CallCode, type CallName, type ErrorOf, GatewayError } from '../errors.ts';
import type { AnswerBody } from './upstream.ts';

/** Uses events: an async iterator costs several times as much, and this runs for every whole answer. */
function collectChunks(body: AnswerBody, isEnough: (size: number) => boolean): Promise<readonly Buffer[]> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    body.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (!isEnough(size)) return;
      body.destroy();
      resolve(chunks);
    });
    body.on('end', () => resolve(chunks));
    body.on('error', reject);
    body.on('close', () => {
      if (!body.readableEnded) reject(interrupted());
    });
  });
}

/** The error for a body that was cut before its end. */
export const interrupted = (): ErrorOf<CallName, 502> =>
  new GatewayError('upstream_error', { message: 'The upstream broke off in the middle of its answer.' });

const join = (chunks: readonly Buffer[]): Buffer => (chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));

export function collect(body: AnswerBody, maxBytes: number): Promise<Buffer> {
  return collectChunks(body, (size) => size > maxBytes).then((chunks) => {
    const bytes = join(chunks);
    if (bytes.length > maxBytes)
      throw new GatewayError<CallCode>('upstream_error', { message: 'The answer of the upstream is too large.' });
    return bytes;
  });
}

/** The first bytes of a body as text, to read an error from; empty when the body is cut, since the status is known. */
export async function collectStart(body: AnswerBody, maxBytes: number): Promise<string> {
  const chunks = await collectChunks(body, (size) => size >= maxBytes).catch(() => []);
  return join(chunks).toString('utf8', 0, maxBytes);
}
