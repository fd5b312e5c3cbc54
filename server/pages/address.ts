/** One form of each address of a page: without a slash at its end, or with one where it is the index of a folder. The other forms redirect to it. */
import type { FastifyRequest } from 'fastify';

/** The part of the address below the folder of the pages, decoded by the router. */
// The routes of pages have this parameter.
export const pathIn = ({ params }: FastifyRequest): string => (params as { readonly '*': string })['*'];

/** Removes slashes from the end. A loop: a regular expression would start at every slash and take quadratic time. */
export function withoutSlashesBehind(path: string): string {
  let length = path.length;
  while (path[length - 1] === '/') length--;
  return path.slice(0, length);
}

/** The part of the address below the root of the pages, as the browser wrote it. */
function tailOf(url: string, root: string): string {
  const [path = ''] = url.split('?', 1);
  return path.slice(path.indexOf(root) + root.length);
}

/** From the requested address to the root of the pages: relative, so that it works behind any prefix. */
export const rootFrom = ({ url }: FastifyRequest, root: string): string => '../'.repeat(tailOf(url, root).split('/').length - 1) || './';

/** The address of a page below the root, by default the requested one without slashes at its end; with the query of the request. */
export function addressTo(request: FastifyRequest, root: string, path = withoutSlashesBehind(tailOf(request.url, root))): string {
  const query = request.url.indexOf('?');
  const to = `${rootFrom(request, root)}${path}`.replace(/^\.\/(?=.)/, '');
  return `${to}${query === -1 ? '' : request.url.slice(query)}`;
}

/** Whether a browser asks, for a person to read the answer. */
export const wantsHtml = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('text/html') ?? false;

export type Encoding = 'br' | 'gzip';

const encodings = ['br', 'gzip'] as const satisfies readonly Encoding[];

/** The best of those that there are; null: as it is. */
export const chosenEncoding = (accepted = '', available: readonly Encoding[] = encodings): Encoding | null =>
  encodings.find((encoding) => available.includes(encoding) && isAccepted(encoding, accepted)) ?? null;

/** By name and with a weight above zero (RFC 9110, 12.5.3). */
const isAccepted = (encoding: Encoding, accepted: string): boolean =>
  accepted.split(',').some((one) => {
    const [name = '', ...parameters] = one
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/);
    return name === encoding && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });
