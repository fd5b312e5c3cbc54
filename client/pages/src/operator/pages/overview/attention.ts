/** Problems that need attention, one card per upstream, account, or key. Each links to the page where it can be fixed. */
import type { AdminContract } from '../../../../../../contract/admin/index.ts';
import type { Success } from '../../../data/contract-types.ts';
import { formatAgo } from '../../../data/times.ts';
import { overview as words } from '../../../texts/overview.ts';
import { accountPath, requestsPath, upstreamPath } from '../../reads/links.ts';

type Problem = Success<AdminContract['getOverview']>['attention'][number];

export interface AttentionCard {
  readonly id: string;
  /** Whether calls fail now because of it. */
  readonly isUrgent: boolean;
  /** The state of the object, in a few words. */
  readonly title: string;
  /** Where the object can be seen. Null for the whole gateway. */
  readonly path: string | null;
  /** What follows from it, in complete sentences. */
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

/** Sentences of the API that have the amount or the time of the title. */
const LOW_BALANCE = /^Account .+ has (\$[\d.]+) left/;
const EXPIRING_KEY = /^Key .+ of account (.+) expires at (\S+)\.$/;

type Titled = Pick<AttentionCard, 'title' | 'messages'>;
/** With the API's sentence, if no title says all of it. */
function getTitle({ target, name, kind, is_urgent: isUrgent, impact, message }: Problem): Titled {
  const { titles } = words;
  const [, left] = LOW_BALANCE.exec(message) ?? [];
  const [, account, at] = EXPIRING_KEY.exec(message) ?? [];
  if (name === null) return { title: titles.gateway[kind], messages: [message] };
  if (kind === 'calls_failing') return { title: titles.failing(name), messages: [message] };
  if (target === 'upstream')
    return { title: (isUrgent ? titles.unavailable : titles.coolingDown)(name), messages: isUrgent && impact !== null ? [] : [message] };
  if (left !== undefined) return { title: titles.left(name, left), messages: [titles.untilTopUp] };
  if (account !== undefined && at !== undefined)
    return { title: titles.expires(`${account} / ${name}`, formatAgo(new Date(at), new Date())), messages: [titles.fromThenOn(at)] };
  return { title: message.replace(/\.$/, ''), messages: [] };
}

function getAction({ target, subject, kind, impact, is_urgent: isUrgent }: Problem): Pick<AttentionCard, 'action' | 'href'> {
  const { actions } = words;
  if (subject !== null) {
    if (target === 'upstream' && (isUrgent || impact?.failed_calls))
      return { action: actions.failedRequests, href: requestsPath({ outcome: 'failed', upstream: subject }) };
    if (target === 'upstream') return { action: actions.upstream, href: upstreamPath(subject) };
    if (target === 'account') return { action: actions.topUp, href: `${accountPath(subject)}?dialog=top-up` };
    if (target === 'key') return { action: actions.editKey, href: `/keys?open=${encodeURIComponent(subject)}&dialog=edit` };
  }
  if (kind === 'limits_unshared') return { action: actions.limits, href: '/limits' };
  if (kind === 'keys_expiring') return { action: actions.keys, href: '/keys?state=active' };
  if (kind === 'calls_failing') return { action: actions.failedRequests, href: requestsPath({ range: '1h', outcome: 'failed' }) };
  return kind === 'alerts_open' ? { action: actions.alerts, href: '/alerts' } : { action: actions.activity, href: '/activity' };
}

/** Where the object of the title can be seen. */
function getPath({ target, subject }: Problem): string | null {
  if (subject === null) return null;
  if (target === 'account') return accountPath(subject);
  return target === 'upstream' ? upstreamPath(subject) : `/keys?open=${encodeURIComponent(subject)}`;
}

/** An alert stays open for a while after the models are back. */
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
