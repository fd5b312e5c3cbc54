/** The page of the portal at /: where it is. The sign-in and the catalog of anybody come without it. */
import { lazy } from 'react';
import type { PageDefinition } from '../../../kit/pages.ts';
import { overview as words } from '../../../texts/portal-overview.ts';

export const page: PageDefinition = {
  path: '/',
  title: words.title,
  icon: 'overview',
  letter: 'o',
  order: 10,
  Page: lazy(async () => ({ default: (await import('./overview.tsx')).Overview })),
};
