/** Problems that need attention, one card per upstream, account, or key. Each links to the page where it can be fixed. */
import { overview as words } from '../../../texts/overview.ts';
import { accountPath, keyPath, requestsPath, upstreamPath } from '../../reads/links.ts';
import { getTitle, type Problem, type Titled } from './problem-title.ts';

export interface AttentionCard extends Titled {
  readonly id: string;
  /** Whether calls fail now because of this problem. */
  readonly isUrgent: boolean;
  /** Path of the object's page. Null for the whole gateway. */
  readonly path: string | null;
  readonly impact: Problem['impact'];
  /** The action to take, and where. */
  readonly action: string;
  readonly href: string;
  /** When it started, in ISO 8601. Null if unknown. */
  readonly at: string | null;
}

/** Problems of the whole gateway get one card per kind, because they have nothing else in common. */
const getCardId = ({ target, subject, kind }: Problem): string => (subject === null ? `${target} ${kind}` : `${target} ${subject}`);

function getAction({ target, subject, kind, impact, is_urgent: isUrgent }: Problem): Pick<AttentionCard, 'action' | 'href'> {
  const { actions } = words;
  if (subject !== null) {
    if (target === 'upstream' && (isUrgent || impact?.failed_calls))
      return { action: actions.failedRequests, href: requestsPath({ outcome: 'failed', upstream: subject }) };
    if (target === 'upstream') return { action: actions.upstream, href: upstreamPath(subject) };
    if (target === 'account') return { action: actions.topUp, href: `${accountPath(subject)}?dialog=top-up` };
    if (target === 'key') return { action: actions.editKey, href: `${keyPath(subject)}&dialog=edit` };
  }
  if (kind === 'limits_unshared') return { action: actions.limits, href: '/limits' };
  if (kind === 'keys_expiring') return { action: actions.keys, href: '/keys?state=active' };
  if (kind === 'calls_failing') return { action: actions.failedRequests, href: requestsPath({ range: '1h', outcome: 'failed' }) };
  return kind === 'alerts_open' ? { action: actions.alerts, href: '/alerts' } : { action: actions.activity, href: '/activity' };
}

/** Returns the path of the page that shows the problem's object. */
function getPath({ target, subject }: Problem): string | null {
  if (subject === null) return null;
  if (target === 'account') return accountPath(subject);
  return target === 'upstream' ? upstreamPath(subject) : keyPath(subject);
}

/** An alert stays open for a while after its models have recovered, and then has no effect on calls. */
const hasEffect = ({ impact, kind }: Problem): boolean => impact !== null && (impact.models.length > 0 || kind !== 'alerts_open');

/** In the API's order: urgent ones first. */
export function toCards(attention: readonly Problem[]): readonly AttentionCard[] {
  return [...Map.groupBy(attention, getCardId)].flatMap(([id, problems]) => {
    const [first] = problems;
    if (first === undefined) return [];
    const times = problems.flatMap(({ since }) => since ?? []);
    const { title, messages } = getTitle(first);
    return {
      id,
      isUrgent: problems.some((one) => one.is_urgent),
      title,
      path: getPath(first),
      messages: [...messages, ...problems.slice(1).map(({ message }) => message)],
      impact: problems.find(hasEffect)?.impact ?? null,
      at: times.toSorted()[0] ?? null,
      ...getAction(first),
    };
  });
}
