/** Resolves the links of Markdown files in the repository to pages and files of the site. */
import { existsSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository = fileURLToPath(new URL('../../..', import.meta.url));

/** Whether the site publishes the file unchanged, below `files/`. */
export const isPublished = (file: string): boolean =>
  /^docs\/(?:examples\/[\w./-]+\.(?:json|ya?ml|service|conf|md)|guides\/screenshots\/[\w-]+\.webp|generated\/config\.schema\.json)$/.test(
    file,
  );

/** Path of a published file on the site. It stays the same when folders of the repository move. */
export const addressOf = (file: string): string => file.replace(/^docs\/(?:generated\/)?/, 'files/');

export type Target =
  | { readonly type: 'page'; readonly source: string; readonly anchor: string }
  | { readonly type: 'file'; readonly file: string }
  /** A repository file that isn't published on the site. */
  | { readonly type: 'code' }
  | { readonly type: 'elsewhere' }
  | { readonly type: 'broken' };

/** `source` is the file with the link; `pages` are the files that are published as pages. */
export function targetOf(href: string, source: string, pages: ReadonlySet<string>): Target {
  if (/^[a-z][a-z0-9+.-]*:/i.test(href)) return { type: 'elsewhere' };
  const [path = '', anchor = ''] = href.split('#');
  if (path === '') return { type: 'page', source, anchor };
  // A URL of the gateway itself, such as `/openapi.json`.
  if (path.startsWith('/')) return { type: 'elsewhere' };
  const file = posix.normalize(posix.join(dirname(source), path)).replace(/\/$/, '');
  if (pages.has(file)) return { type: 'page', source: file, anchor };
  if (pages.has(`${file}/README.md`)) return { type: 'page', source: `${file}/README.md`, anchor };
  if (isPublished(file)) return { type: 'file', file };
  return existsSync(join(repository, file)) ? { type: 'code' } : { type: 'broken' };
}
