/** Defines the requests page of the console. */
import { lazy } from 'react';
import type { PageDefinition } from '../../../kit/pages.ts';
import { requests } from '../../../texts/requests.ts';

export const page: PageDefinition = {
  path: '/requests',
  pattern: '/requests/:id?',
  title: requests.title,
  icon: 'requests',
  letter: 'r',
  order: 30,
  hasRange: true,
  Page: lazy(async () => ({ default: (await import('./requests.tsx')).Requests })),
};
