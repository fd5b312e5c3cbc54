/** Where a link of a Markdown file of the repository leads on the site. */
import { existsSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository = fileURLToPath(new URL('../../..', import.meta.url));

/** Files that are published as they are, below `files/`. */
export const isPublished = (file: string): boolean =>
  /^docs\/(?:examples\/[\w./-]+\.(?:json|ya?ml|service|conf|md)|guides\/screenshots\/[\w-]+\.webp|generated\/config\.schema\.json)$/.test(
    file,
  );

/** The address of such a file on the site. Folders of the repository may change; it stays. */
export const addressOf = (file: string): string => file.replace(/^docs\/(?:generated\/)?/, 'files/');

export type Target =
  | { readonly type: 'page'; readonly source: string; readonly anchor: string }
  | { readonly type: 'file'; readonly file: string }
  /** A file of the repository that the site does not show. */
  | { readonly type: 'code' }
  | { readonly type: 'elsewhere' }
  | { readonly type: 'broken' };

/** `source`: the file with the link; `pages`: the files that are pages. */
export function targetOf(href: string, source: string, pages: ReadonlySet<string>): Target {
  if (/^[a-z][a-z0-9+.-]*:/i.test(href)) return { type: 'elsewhere' };
  const [path = '', anchor = ''] = href.split('#');
  if (path === '') return { type: 'page', source, anchor };
  // An address of the gateway itself, such as `/openapi.json`.
  if (path.startsWith('/')) return { type: 'elsewhere' };
  const file = posix.normalize(posix.join(dirname(source), path)).replace(/\/$/, '');
  if (pages.has(file)) return { type: 'page', source: file, anchor };
  if (pages.has(`${file}/README.md`)) return { type: 'page', source: `${file}/README.md`, anchor };
  if (isPublished(file)) return { type: 'file', file };
  return existsSync(join(repository, file)) ? { type: 'code' } : { type: 'broken' };
}
