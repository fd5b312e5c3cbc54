/** Defines the accounts page of the console. */
import { lazy } from 'react';
import type { PageDefinition } from '../../../kit/pages.ts';
import { accounts } from '../../../texts/accounts.ts';

export const page: PageDefinition = {
  path: '/accounts',
  pattern: '/accounts/:id?/:month?',
  hasSubpages: true,
  title: accounts.title,
  icon: 'accounts',
  letter: 'c',
  order: 40,
  Page: lazy(async () => ({ default: (await import('./accounts.tsx')).AccountPages })),
};
