/** Money and limits under whole calls, once more over PostgreSQL and Redis: the very tests beside this file (F29 to F42, F45, promises G2, G3, G4, G9, G11, G12). */
import { overSharedStores } from '../harness/stores.ts';

overSharedStores({
  limits: () => import('./limits.test.ts'),
  'more calls than money': () => import('./spend-race.test.ts'),
  'calls that end in every way': () => import('./mixed-ends.test.ts'),
  'ends that cannot be stored': () => import('./settle-failures.test.ts'),
  'two accounts': () => import('./tenancy.test.ts'),
  'idempotency keys': () => import('./idempotency.test.ts'),
});
