/** Reads the built pages of a folder into memory, once: a file, its compressed forms, and how long a browser may keep it. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Encoding } from './encoding.ts';

export interface Variant {
  readonly body: Buffer;
  readonly etag: string;
}

export interface PageFile {
  readonly type: string;
  readonly plain: Variant;
  readonly packed: { readonly [E in Encoding]?: Variant };
  /** Whether its name holds a hash of its content, so that it never changes. */
  readonly isImmutable: boolean;
}
/** By path below the folder, with slashes. */
export type PageFolder = ReadonlyMap<string, PageFile>;

export const INDEX = 'index.html';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
  '.yaml': 'text/yaml; charset=utf-8',
  '.yml': 'text/yaml; charset=utf-8',
  '.service': 'text/plain; charset=utf-8',
  '.conf': 'text/plain; charset=utf-8',
  '.webp': 'image/webp',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};
const suffixes: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' };

/** Undefined for a file that is not served. */
export const typeOf = (path: string): string | undefined => types[extname(path)];

/** Whether a name holds a hash of the content, as Vite and Rolldown name files. */
export const isImmutableName = (path: string): boolean => /(?:^|\/)assets\/.+-[\w-]{8,}\.\w+$/.test(path);

/** Whether the address is that of a file; an id of a model may have a dot too. */
export const isFileName = (path: string): boolean => Object.hasOwn(types, extname(path));

/** Null where there is no index: the pages were not built. */
export function readPageFolder(folder: string): PageFolder | null {
  const names = namesIn(folder);
  const files = new Map(names.filter(isFileName).map((name) => [name, readPage(folder, name, names)] as const));
  return files.has(INDEX) ? files : null;
}

function namesIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    return files.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length).replaceAll('\\', '/').replace(/^\//, ''));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

function readPage(folder: string, name: string, names: readonly string[]): PageFile {
  const read = (suffix = ''): Variant => {
    const body = readFileSync(join(folder, name + suffix));
    return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` };
  };
  const has = (encoding: Encoding): boolean => names.includes(name + suffixes[encoding]);
  return {
    type: types[extname(name)] ?? 'application/octet-stream',
    plain: read(),
    packed: { ...(has('br') && { br: read(suffixes.br) }), ...(has('gzip') && { gzip: read(suffixes.gzip) }) },
    isImmutable: isImmutableName(name),
  };
}
