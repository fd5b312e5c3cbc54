/** What needs attention, in one card for each upstream, account or key; each leads to the page where it can be seen or mended. */
import type { AdminContract } from '../../../../../../contract/admin/index.ts';
import type { Success } from '../../../data/contract-types.ts';
import { overview as words } from '../../../texts/overview.ts';
import { accountPath, requestsPath, upstreamPath } from '../../reads/links.ts';

type Problem = Success<AdminContract['getOverview']>['attention'][number];

export interface AttentionCard {
  readonly id: string;
  /** Calls fail because of it now. */
  readonly isUrgent: boolean;
  readonly title: string;
  /** What is wrong, in whole sentences. */
  readonly messages: readonly string[];
  readonly impact: Problem['impact'];
  /** The one thing to do about it, and where. */
  readonly action: string;
  readonly href: string;
  /** When it began, ISO 8601; null: that is not known. */
  readonly at: string | null;
}

/** Problems of the gateway as a whole have nothing in common but that. */
const getCardId = ({ target, subject, kind }: Problem): string => (subject === null ? `${target} ${kind}` : `${target} ${subject}`);

function getAction({ target, subject, kind }: Problem): Pick<AttentionCard, 'action' | 'href'> {
  const { actions } = words;
  if (subject !== null) {
    if (target === 'upstream') return { action: actions.upstream, href: upstreamPath(subject) };
    if (target === 'account') return { action: actions.account, href: accountPath(subject) };
    if (target === 'key') return { action: actions.key, href: `/keys?open=${encodeURIComponent(subject)}` };
  }
  if (kind === 'limits_unshared') return { action: actions.limits, href: '/limits' };
  if (kind === 'keys_expiring') return { action: actions.keys, href: '/keys?state=active' };
  if (kind === 'calls_failing') return { action: actions.failedRequests, href: requestsPath({ range: '1h', outcome: 'failed' }) };
  return kind === 'alerts_open' ? { action: actions.alerts, href: '/alerts' } : { action: actions.activity, href: '/activity' };
}

/** In the order of the API: urgent ones come first. */
export function toCards(attention: readonly Problem[]): readonly AttentionCard[] {
  return [...Map.groupBy(attention, getCardId)].flatMap(([id, problems]) => {
    const [first] = problems;
    if (first === undefined) return [];
    const times = problems.flatMap(({ since }) => since ?? []);
    return {
      id,
      isUrgent: problems.some((one) => one.is_urgent),
      title: words.targets[first.target](first.name),
      messages: problems.map(({ message }) => message),
      impact: problems.find(({ impact }) => impact !== null)?.impact ?? null,
      at: times.toSorted()[0] ?? null,
      ...getAction(first),
    };
  });
}
