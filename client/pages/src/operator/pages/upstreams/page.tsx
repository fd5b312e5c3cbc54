/** Defines the upstreams page of the console. */
import { lazy } from 'react';
import type { PageDefinition } from '../../../kit/pages.ts';
import { upstreams } from '../../../texts/upstreams.ts';

export const page: PageDefinition = {
  path: '/upstreams',
  pattern: '/upstreams/:name?',
  hasSubpages: true,
  title: upstreams.title,
  icon: 'upstreams',
  letter: 'p',
  order: 70,
  hasRange: true,
  Page: lazy(async () => ({ default: (await import('./upstreams.tsx')).UpstreamPages })),
};
