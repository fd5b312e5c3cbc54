/** Defines the portal's page /models. */
import { lazy } from 'react';
import type { PageDefinition } from '../../../kit/pages.ts';
import { portalTitles } from '../../../texts/portal-titles.ts';

export const page: PageDefinition = {
  path: '/models',
  title: portalTitles.catalog,
  icon: 'catalog',
  letter: 'c',
  order: 50,
  Page: lazy(async () => ({ default: (await import('./catalog.tsx')).Catalog })),
};
