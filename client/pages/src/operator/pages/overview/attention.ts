/** Problems that need attention, one card per upstream, account, or key. Each links to the page where it can be fixed. */
import type { AdminContract } from '../../../../../../contract/admin/index.ts';
import type { Success } from '../../../data/contract-types.ts';
import { overview as words } from '../../../texts/overview.ts';
import { accountPath, requestsPath, upstreamPath } from '../../reads/links.ts';

type Problem = Success<AdminContract['getOverview']>['attention'][number];

export interface AttentionCard {
  readonly id: string;
  /** Whether calls fail now because of it. */
  readonly isUrgent: boolean;
  readonly title: string;
  /** What is wrong, in complete sentences. */
  readonly messages: readonly string[];
  readonly impact: Problem['impact'];
  /** The action to take, and where. */
  readonly action: string;
  readonly href: string;
  /** When it started, in ISO 8601. Null if unknown. */
  readonly at: string | null;
}

/** Problems of the whole gateway get one card per kind, because they have nothing else in common. */
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

/** In the API's order: urgent ones first. */
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
