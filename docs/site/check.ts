/** Checks that every link leads to an existing page, file, or anchor, and that every ID on a page is unique. */
import { posix } from 'node:path';

/** `html` has the pages by path without `.html`; `files` has all other files. Returns one sentence per fault. */
export function faultsIn(html: ReadonlyMap<string, string>, files: ReadonlySet<string>): readonly string[] {
  const anchors = new Map([...html].map(([path, text]) => [path, idsIn(text)] as const));
  return [...html].flatMap(([path, text]) => [
    ...twice(anchors.get(path) ?? []).map((id) => `${path}: two elements have the id ${id}`),
    ...linksIn(text).flatMap((href) => faultOf({ href, path, anchors, files })),
  ]);
}

/** Checks that every old address leads to an existing page or anchor, and that nothing else is there now. */
export function faultsOfMoved(moved: Readonly<Record<string, string>>, html: ReadonlyMap<string, string>): readonly string[] {
  const exists = (address: string): boolean => {
    const [page = '', anchor] = address.split('#');
    const text = html.get(page);
    return text !== undefined && (anchor === undefined || idsIn(text).includes(anchor));
  };
  return Object.entries(moved).flatMap(([from, to]) => [
    ...(exists(from) ? [`moved.ts: ${from} is also an address now`] : []),
    ...(exists(to) ? [] : [`moved.ts: ${to} leads nowhere`]),
  ]);
}

const idsIn = (html: string): readonly string[] => [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id);
const linksIn = (html: string): readonly string[] => [...html.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, href = '']) => href);
const twice = (ids: readonly string[]): readonly string[] => [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))];

interface Link {
  readonly href: string;
  readonly path: string;
  readonly anchors: ReadonlyMap<string, readonly string[]>;
  readonly files: ReadonlySet<string>;
}

function faultOf({ href, path, anchors, files }: Link): readonly string[] {
  if (/^[a-z][a-z0-9+.-]*:/i.test(href) || href.startsWith('/')) return [];
  const [file = '', anchor = ''] = href.split('#');
  const target = file === '' ? path : posix.normalize(posix.join(posix.dirname(path), file));
  if (target.startsWith('..')) return [`${path}: ${href} leaves the site`];
  if (files.has(target)) return [];
  const page = pageAt(target, anchors);
  if (page === undefined) return [`${path}: ${href} leads nowhere`];
  return anchor === '' || anchors.get(page)?.includes(anchor) ? [] : [`${path}: ${href} has no such anchor`];
}

/** Resolves `errors/` to `errors/index`. */
function pageAt(target: string, anchors: ReadonlyMap<string, readonly string[]>): string | undefined {
  const path = target.replace(/^\.\/?$/, '');
  return [path, path === '' ? 'index' : `${path.replace(/\/$/, '')}/index`].find((one) => anchors.has(one));
}
