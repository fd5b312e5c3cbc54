/** Defines the audit log page of the console. */
import { lazy } from 'react';
import type { PageDefinition } from '../../../kit/pages.ts';
import { audit } from '../../../texts/audit.ts';

export const page: PageDefinition = {
  path: '/audit',
  title: audit.title,
  icon: 'audit',
  letter: 'u',
  order: 90,
  Page: lazy(async () => ({ default: (await import('./audit.tsx')).Audit })),
};
