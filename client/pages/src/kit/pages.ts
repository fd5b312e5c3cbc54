/** Defines a page: its path, name, and navigation entry. Each folder of `pages/` exports one as `page`. */
import type { ComponentType } from 'react';
import type { IconName } from './icon.tsx';

export interface PageDefinition {
  /** Path below the bundle's base URL, such as `/keys`. The navigation entry links to it. */
  readonly path: string;
  /** A wouter pattern of the URLs it shows, such as `/requests/:id?`. Defaults to its path. */
  readonly pattern?: string;
  /** Whether paths below it are separate pages, instead of a panel beside the list. */
  readonly hasSubpages?: boolean;
  readonly title: string;
  readonly icon: IconName;
  /** The key after `g`. */
  readonly letter: string;
  /** Position in the navigation. */
  readonly order: number;
  /** Whether the page uses the frame's range. A function of the URL if only a part of the page does. */
  readonly hasRange?: boolean | ((search: URLSearchParams) => boolean);
  /** Loaded on the first visit, except for the first page. */
  readonly Page: ComponentType;
}

/** Returns the pages that `import.meta.glob` found, in navigation order. */
export function sortPages(found: Readonly<Record<string, PageDefinition>>): readonly PageDefinition[] {
  return Object.values(found).sort((one, other) => one.order - other.order);
}
