/** A page of the documentation: what its writers make HTML, Markdown, the index of the search and the map of. */
export type Kind = 'home' | 'start' | 'guide' | 'operation' | 'error' | 'concept' | 'decision' | 'changelog';

export interface Heading {
  readonly id: string;
  readonly text: string;
  readonly level: number;
}

/** What the search finds: a page, a part of it, or a field. */
export interface Entry {
  /** The heading's or the field's; the page itself without one. */
  readonly anchor?: string;
  readonly title: string;
  readonly text: string;
  readonly kind: Kind | 'field';
  /** Other words for it: those of clients that show the fault, and codes. */
  readonly seen?: readonly string[];
}

export interface Page {
  /** Below the root of the site, without `.html`; the first page is `index`. */
  readonly path: string;
  readonly title: string;
  /** One sentence. */
  readonly description: string;
  readonly kind: Kind;
  /** Inside `<main>`. */
  readonly html: string;
  readonly markdown: string;
  /** The file of the repository that it is made of, when it is one. */
  readonly source?: string;
  readonly headings: readonly Heading[];
  readonly entries: readonly Entry[];
}

/** From a page to the root of the site: pages are linked by relative addresses, so that they work at any prefix. */
export const rootFrom = (path: string): string => '../'.repeat(path.split('/').length - 1);

/** From a page to another, with its anchor. */
export function linkTo(from: string, to: string, anchor = ''): string {
  const hash = anchor === '' ? '' : `#${anchor}`;
  if (from === to && hash !== '') return hash;
  return `${rootFrom(from)}${to === 'index' ? './' : to}${hash}`.replace(/^(\.\.\/)+\.\//, (up) => up.slice(0, -2));
}
