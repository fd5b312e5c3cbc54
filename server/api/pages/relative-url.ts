/**
 * Computes the paths and relative URLs of pages. Each page has one URL, with a slash at the end only for the index of a folder; other forms redirect to it.
 */
import type { FastifyRequest } from 'fastify';

/** Returns the path below the pages' folder, as decoded by the router. */
// `as`: page routes have this parameter.
export const getPagePath = ({ params }: FastifyRequest): string => (params as { readonly '*': string })['*'];

/** Removes trailing slashes. A loop, because a regular expression would start at every slash and take quadratic time. */
export function trimSlashes(path: string): string {
  let length = path.length;
  while (path[length - 1] === '/') length--;
  return path.slice(0, length);
}

/** Returns the path below the pages' root, as the browser wrote it. */
function getPathBelow(url: string, root: string): string {
  const [path = ''] = url.split('?', 1);
  return path.slice(path.indexOf(root) + root.length);
}

/** Returns the URL of the pages' root, relative to the requested URL, so that it works behind any prefix. */
export const getRelativeRoot = ({ url }: FastifyRequest, root: string): string =>
  '../'.repeat(getPathBelow(url, root).split('/').length - 1) || './';

/** Returns the relative URL of a page with the request's query. Defaults to the requested page without trailing slashes. */
export function getRelativeUrl(request: FastifyRequest, root: string, path = trimSlashes(getPathBelow(request.url, root))): string {
  const queryStart = request.url.indexOf('?');
  const relativePath = `${getRelativeRoot(request, root)}${path}`.replace(/^\.\/(?=.)/, '');
  return `${relativePath}${queryStart === -1 ? '' : request.url.slice(queryStart)}`;
}
