/** Defines the keys page of the console. */
import { lazy } from 'react';
import type { PageDefinition } from '../../../kit/pages.ts';
import { keys } from '../../../texts/keys.ts';

export const page: PageDefinition = {
  path: '/keys',
  title: keys.title,
  icon: 'keys',
  letter: 'k',
  order: 50,
  Page: lazy(async () => ({ default: (await import('./keys.tsx')).Keys })),
};
