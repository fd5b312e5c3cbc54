/** Random steps on a ledger: mostly small amounts, so that rules interact, and sometimes an extreme one. */
import fc from 'fast-check';
import { MAX_AMOUNT } from '../../../server/money/dollars.ts';
import type { Period } from '../../../server/money/period.ts';
import type { OwnedCap } from '../../../server/money/spending-cap.ts';
import { dayMs, hourMs } from '../../unit/money/open.ts';

export const accounts = ['ada', 'bob', 'cyd', 'nobody'] as const;
export const nodes = ['node_1', 'node_2', 'node_3'] as const;

export type ModelStep = { readonly waitMs: number } & (
  | {
      readonly kind: 'reserve';
      readonly accountId: string;
      readonly keyId: string;
      readonly caps: readonly OwnedCap[];
      readonly amount: bigint;
      readonly least?: bigint;
      readonly node: string;
      /** Which request id is used again, in one of many. */
      readonly again: number | null;
    }
  | { readonly kind: 'post'; readonly which: number; readonly cost: bigint }
  | { readonly kind: 'void'; readonly which: number }
  | { readonly kind: 'heartbeat'; readonly node: string; readonly silentMs: number }
  | { readonly kind: 'leave'; readonly node: string }
  | { readonly kind: 'adjust'; readonly accountId: string; readonly name: number; readonly amount: bigint }
  | {
      readonly kind: 'subscribe';
      readonly accountId: string;
      readonly included: bigint;
      readonly period: Exclude<Period, 'never'>;
      readonly onExhaustion: 'stop' | 'balance';
      readonly startInMs: number;
      readonly lastsMs: number | null;
    }
  | { readonly kind: 'cancel'; readonly which: number }
);

const edges = [
  0n,
  1n,
  2n ** 31n,
  2n ** 53n - 1n,
  2n ** 53n,
  2n ** 53n + 1n,
  MAX_AMOUNT - 1n,
  MAX_AMOUNT,
  MAX_AMOUNT + 1n,
  2n ** 63n,
  2n ** 64n,
];
const amount = fc.oneof({ weight: 12, arbitrary: fc.bigInt(0n, 12n) }, { weight: 1, arbitrary: fc.constantFrom(...edges, -1n) });
const change = fc.oneof(
  { weight: 12, arbitrary: fc.bigInt(-20n, 40n) },
  { weight: 2, arbitrary: fc.constantFrom(...edges, ...edges.map((edge) => -edge)) },
);
const wait = fc.oneof(
  { weight: 20, arbitrary: fc.nat(2 * hourMs) },
  { weight: 3, arbitrary: fc.nat(2 * dayMs) },
  { weight: 1, arbitrary: fc.nat(40 * dayMs) },
);
const account = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom(...accounts.slice(0, 3)) },
  { weight: 1, arbitrary: fc.constant('nobody') },
);
const node = fc.constantFrom(...nodes);
const which = fc.nat(1_000);
const cap = fc.record({
  owner: fc.constantFrom('key:key_1', 'key:key_2', 'account:ada'),
  scope: fc.constant('key' as const),
  micros: fc.bigInt(0n, 60n),
  period: fc.constantFrom<Period>('day', 'week', 'month', 'never'),
});

const reserve = fc
  .record({
    kind: fc.constant('reserve' as const),
    waitMs: wait,
    accountId: account,
    keyId: fc.constantFrom('key_1', 'key_2', 'key_3'),
    caps: fc.uniqueArray(cap, { maxLength: 4, selector: ({ owner, period }) => `${owner} ${period}` }),
    amount,
    /** How much less may do. */
    less: fc.option(fc.bigInt(0n, 12n), { freq: 2 }),
    node,
    again: fc.option(which, { freq: 30 }).map((found) => found),
  })
  .map(({ less, ...rest }) => (less === null || less > rest.amount ? rest : { ...rest, least: rest.amount - less }));
const post = fc.record({ kind: fc.constant('post' as const), waitMs: wait, which, cost: amount });
const voids = fc.record({ kind: fc.constant('void' as const), waitMs: wait, which });
const heartbeat = fc.record({ kind: fc.constant('heartbeat' as const), waitMs: wait, node, silentMs: fc.nat(3 * dayMs) });
const leave = fc.record({ kind: fc.constant('leave' as const), waitMs: wait, node });
const adjust = fc.record({ kind: fc.constant('adjust' as const), waitMs: wait, accountId: account, name: fc.nat(200), amount: change });
const subscribe = fc.record({
  kind: fc.constant('subscribe' as const),
  waitMs: wait,
  accountId: account,
  included: fc.oneof({ weight: 8, arbitrary: fc.bigInt(0n, 50n) }, { weight: 1, arbitrary: fc.constantFrom(...edges, -1n) }),
  period: fc.constantFrom('day' as const, 'week' as const, 'month' as const),
  onExhaustion: fc.constantFrom('stop' as const, 'balance' as const),
  startInMs: fc.integer({ min: -2 * dayMs, max: 2 * dayMs }),
  lastsMs: fc.option(fc.nat(40 * dayMs)),
});
const cancel = fc.record({ kind: fc.constant('cancel' as const), waitMs: wait, which });

export const modelStep: fc.Arbitrary<ModelStep> = fc.oneof(
  { weight: 40, arbitrary: reserve },
  { weight: 24, arbitrary: post },
  { weight: 8, arbitrary: voids },
  { weight: 16, arbitrary: adjust },
  { weight: 3, arbitrary: heartbeat },
  { weight: 1, arbitrary: leave },
  { weight: 4, arbitrary: subscribe },
  { weight: 3, arbitrary: cancel },
);
