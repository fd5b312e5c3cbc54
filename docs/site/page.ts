/** A page of the documentation. The build writes its HTML, Markdown, search entries, and menu from this type. */
export type Kind = 'home' | 'start' | 'guide' | 'operation' | 'reference' | 'error' | 'concept' | 'decision' | 'changelog';

export interface Heading {
  readonly id: string;
  readonly text: string;
  readonly level: number;
}

/** A search result: a page, a section of a page, or a field. */
export interface Entry {
  /** Anchor of the heading or field. Omitted for the page itself. */
  readonly anchor?: string;
  readonly title: string;
  readonly text: string;
  readonly kind: Kind | 'field';
  /** Other terms that find the entry, such as client error messages and codes. */
  readonly seen?: readonly string[];
  /** Messages that a reader pastes. The sign … stands for the parts that differ. */
  readonly messages?: readonly string[];
  /** Text that a search result shows. Defaults to `text`. */
  readonly passage?: string;
}

export interface Page {
  /** Path on the site, without `.html`. The home page is `index`. */
  readonly path: string;
  readonly title: string;
  /** One sentence. */
  readonly description: string;
  readonly kind: Kind;
  /** Content of `<main>`. */
  readonly html: string;
  readonly markdown: string;
  /** The Markdown file that the page is made from. Omitted for pages made from code. */
  readonly source?: string;
  readonly headings: readonly Heading[];
  readonly entries: readonly Entry[];
}

/** Relative path from a page to the root of the site. All links are relative, so that the site works under any prefix. */
export const rootFrom = (path: string): string => '../'.repeat(path.split('/').length - 1);

/** Relative link from one page to another, with an optional anchor. */
export function linkTo(from: string, to: string, anchor = ''): string {
  const hash = anchor === '' ? '' : `#${anchor}`;
  if (from === to && hash !== '') return hash;
  return `${rootFrom(from)}${to === 'index' ? './' : to}${hash}`.replace(/^(\.\.\/)+\.\//, (up) => up.slice(0, -2));
}
