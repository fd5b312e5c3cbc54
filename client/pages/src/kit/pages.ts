/** What a page says of itself: where it is, how it is named and reached. Each folder of `pages/` exports one as `page`. */
import type { ComponentType } from 'react';
import type { IconName } from './icon.tsx';

export interface PageDefinition {
  /** Below the base of the bundle, such as `/keys`; where its entry of the navigation leads. */
  readonly path: string;
  /** What addresses it shows, in wouter's words, such as `/requests/:id?`. Absent: its path alone. */
  readonly pattern?: string;
  /** Whether what is below its path are pages of their own, and not a panel beside the list. */
  readonly hasSubpages?: boolean;
  readonly title: string;
  readonly icon: IconName;
  /** The key after `g`. */
  readonly letter: string;
  /** Place in the navigation. */
  readonly order: number;
  /** Whether the range of the frame counts for it; a function of the address where it counts for a part of the page. */
  readonly hasRange?: boolean | ((search: URLSearchParams) => boolean);
  /** Loaded when it is first shown, but for the first page. */
  readonly Page: ComponentType;
}

/** The pages that `import.meta.glob` found, in the order of the navigation. */
export function sortPages(found: Readonly<Record<string, PageDefinition>>): readonly PageDefinition[] {
  return Object.values(found).sort((one, other) => one.order - other.order);
}
