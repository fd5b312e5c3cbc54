/** Defines the limits page of the console. */
import { lazy } from 'react';
import type { PageDefinition } from '../../../kit/pages.ts';
import { limits } from '../../../texts/limits.ts';

export const page: PageDefinition = {
  path: '/limits',
  title: limits.title,
  icon: 'limits',
  letter: 'l',
  order: 80,
  Page: lazy(async () => ({ default: (await import('./limits.tsx')).LimitsPage })),
};
