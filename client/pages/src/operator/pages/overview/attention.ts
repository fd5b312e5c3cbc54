/** What needs somebody: what the gateway says of itself, and a share of failed calls. Each leads to the page where it can be seen or mended. */
import type { AdminContract } from '../../../../../../contract/admin/index.ts';
import type { Success } from '../../../data/contract-types.ts';
import { toPerMille } from '../../../data/money.ts';
import type { Tone } from '../../../kit/values.tsx';
import { overview as words } from '../../../texts/overview.ts';
import type { Sums } from '../../reads/buckets.ts';
import { requestsPath } from '../../reads/links.ts';

type AttentionRow = Success<AdminContract['getOverview']>['attention'][number];

export interface Attention {
  readonly id: string;
  readonly tone: Tone;
  readonly text: string;
  /** The one thing to do about it, and where. */
  readonly action: string;
  readonly href: string;
  /** When it began, ISO 8601; null: that is not known. */
  readonly at: string | null;
}

/** Of a thousand calls; below so many calls a share says nothing. */
const MANY_ERRORS = 20;
const MIN_CALLS = 20;

const tones: Readonly<Record<AttentionRow['kind'], Tone>> = {
  alerts_open: 'bad',
  upstream_unavailable: 'bad',
  ledger_mismatch: 'bad',
  charges_pending: 'bad',
  balance_low: 'warn',
  keys_expiring: 'warn',
};

function getPath({ kind, subject }: AttentionRow): string {
  const below = subject === null ? '' : `/${encodeURIComponent(subject)}`;
  switch (kind) {
    case 'alerts_open':
      return '/alerts';
    case 'upstream_unavailable':
      return `/upstreams${below}`;
    case 'balance_low':
      return `/accounts${below}`;
    case 'keys_expiring':
      return '/keys?state=active';
    case 'ledger_mismatch':
    case 'charges_pending':
      return '/activity';
  }
}

export function toAttention(attention: readonly AttentionRow[]): readonly Attention[] {
  return attention.map((one, index) => {
    return {
      id: `${one.kind} ${index}`,
      tone: tones[one.kind],
      text: one.message,
      action: words.actions[one.kind],
      href: getPath(one),
      at: one.since,
    };
  });
}

export function listCallProblems({ errors, requests }: Sums, range: string): readonly Attention[] {
  const share = toPerMille(BigInt(errors), BigInt(requests));
  if (share < MANY_ERRORS || requests < MIN_CALLS) return [];
  const text = words.errorRate(`${(share / 10).toLocaleString()}%`);
  return [{ id: 'errors', tone: 'bad', text, action: words.actions.errors, href: requestsPath({ range, outcome: 'failed' }), at: null }];
}

const ranks: Readonly<Record<Tone, number>> = { bad: 0, warn: 1, neutral: 2, good: 3 };
export const sortWorstFirst = (all: readonly Attention[]): readonly Attention[] => all.toSorted((a, b) => ranks[a.tone] - ranks[b.tone]);
