/** What callers and operators are promised where a store has a part in it, once more over PostgreSQL and Redis: the very tests beside this file (promises G2, G3, G11, G12). */
import { overSharedStores } from '../harness/stores.ts';

overSharedStores({
  'unknown keys': () => import('./401.test.ts'),
  'what a key may not do': () => import('./403.test.ts'),
  'want of money': () => import('./403-money.test.ts'),
  'full limits': () => import('./429-limits.test.ts'),
  'too much for the vendor': () => import('./429.test.ts'),
  'the order of refusals': () => import('./order.test.ts'),
  catalog: () => import('./catalog.test.ts'),
  models: () => import('./models.test.ts'),
  edits: () => import('./edits.test.ts'),
  responses: () => import('./responses.test.ts'),
  'stored responses': () => import('./stored-responses.test.ts'),
  history: () => import('./history.test.ts'),
  usage: () => import('./usage.test.ts'),
  'accounts, for operators': () => import('./admin-accounts.test.ts'),
  'explanations, for operators': () => import('./admin-explanations.test.ts'),
  'keys, for operators': () => import('./admin-keys.test.ts'),
  'operators themselves': () => import('./admin-operators.test.ts'),
  'usage, for operators': () => import('./admin-usage.test.ts'),
});
