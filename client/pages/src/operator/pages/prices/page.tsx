/** Defines the models and prices page of the console. */
import { lazy } from 'react';
import type { PageDefinition } from '../../../kit/pages.ts';
import { prices } from '../../../texts/prices.ts';

export const page: PageDefinition = {
  path: '/prices',
  title: prices.title,
  icon: 'models',
  letter: 'm',
  order: 60,
  Page: lazy(async () => ({ default: (await import('./prices.tsx')).PricesPage })),
};
