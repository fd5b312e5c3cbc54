/** Loads the files of the reference page once, with the headers that let a browser cache them. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

export interface Asset {
  readonly type: string;
  readonly body: Buffer;
  readonly etag: string;
}

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

/** A strong ETag: equal tags mean equal bytes. */
export const tagOf = (...parts: readonly (string | Buffer)[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return `"${hash.digest('base64url').slice(0, 22)}"`;
};

function asset(name: string, body: Buffer): Asset {
  const type = types[name.slice(name.lastIndexOf('.') + 1)];
  if (type === undefined) throw new Error(`${name} has no content type.`);
  return { type, body, etag: tagOf(body) };
}

/** Reads a file of docs/reference. */
export function readAsset(name: string): Asset {
  return asset(name, readFileSync(new URL(`../../../docs/reference/${name}`, import.meta.url)));
}

/** Loads the viewer's bundle from its package, in a worker. */
export function loadViewer(): Promise<Asset> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./viewer.ts', import.meta.url));
    worker.once('message', (bytes: Uint8Array) =>
      resolve(asset('viewer.js', Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))),
    );
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('The viewer of the reference page ended without its file.')));
  });
}
