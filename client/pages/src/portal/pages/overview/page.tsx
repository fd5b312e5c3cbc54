/** Defines the portal's page /. The sign-in and the public catalog load without it. */
import { lazy } from 'react';
import type { PageDefinition } from '../../../kit/pages.ts';
import { portalTitles } from '../../../texts/portal-titles.ts';

export const page: PageDefinition = {
  path: '/',
  title: portalTitles.overview,
  icon: 'overview',
  letter: 'o',
  order: 10,
  Page: lazy(async () => ({ default: (await import('./overview.tsx')).Overview })),
};
