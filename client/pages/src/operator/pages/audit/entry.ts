/** Describes an entry of the audit log: who acted, and a sentence about the action with a link to its target. */
import type { AuditEntry } from '../../../../../../contract/admin/operators.ts';
import { formatDollars, readDollars } from '../../../data/money.ts';
import { formatTime } from '../../../data/times.ts';
import { sentences, audit as words } from '../../../texts/audit.ts';
import { limits as limitWords } from '../../../texts/limits.ts';
import { accountPath, keyPath, upstreamPath } from '../../reads/links.ts';
import { listChanges } from './changes.ts';
import type { Value } from './values.ts';

const actorNames: Readonly<Record<string, string>> = words.actors;
export const getActorName = (actor: string, name: string | null | undefined): string => name ?? actorNames[actor] ?? actor;

/** Returns the path of the page that shows the target. Undefined if no page does. */
function findTargetPath({ target, action }: AuditEntry): string | undefined {
  const id = encodeURIComponent(target);
  if (target.startsWith('acct_')) return accountPath(target);
  if (target.startsWith('key_')) return keyPath(target);
  if (action === 'price.set') return `/prices?open=${id}`;
  if (action === 'alert.acknowledge') return '/alerts';
  if (action.startsWith('upstream.')) return upstreamPath(target);
  return action.startsWith('admin_key.') || action.startsWith('config.') ? '/settings' : undefined;
}

export interface SentencePart {
  readonly text: string;
  readonly href?: string | undefined;
}

const formatValue = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
const nouns: Readonly<Record<string, string>> = words.nouns;
const toSentenceCase = (label: string): string =>
  nouns[label] ?? (/^[A-Z][a-z]/.test(label) ? `${label.charAt(0).toLowerCase()}${label.slice(1)}` : label);
/** Words for special values. */
const plainWords: readonly string[] = [
  words.all,
  words.none,
  words.anywhere,
  words.never,
  words.configured,
  limitWords.usesDefaults,
  words.yes,
  words.no,
];
const formatPart = (value: Value): string => {
  if ('time' in value) return formatTime(new Date(value.time));
  return plainWords.includes(value.text) ? `“${value.text}”` : value.text;
};

function getTargetName({ action, target, details: { name }, names }: AuditEntry): string {
  // Uses the name at that time, if the entry contains it.
  if (action.endsWith('.create') && typeof name === 'string') return name;
  if (action === 'alert.acknowledge') return names[target] ?? words.gateway;
  if (action === 'price.set') return target.slice(target.indexOf('/') + 1);
  return action === 'ledger.close' ? formatTime(new Date(target)) : (names[target] ?? target);
}

/** An account, by ID or name. */
const toAccountPart = (account: string, { names }: AuditEntry): SentencePart => ({
  text: names[account] ?? account,
  href: accountPath(account),
});

function formatAmount({ amount }: AuditEntry['details']): string {
  const micros = typeof amount === 'string' ? readDollars(amount) : null;
  return micros === null ? formatValue(amount ?? '') : formatDollars(micros);
}

const STANDARD = 'standard/';

/** Returns the template of the sentence, and its values except the target. */
function getTemplate(entry: AuditEntry): readonly [template: string, values: Readonly<Record<string, SentencePart>>] {
  const { action, target, details } = entry;
  const known: Readonly<Record<string, string>> = sentences;
  const template = known[action];
  if (template === undefined) return [words.other, { action: { text: action } }];
  if (action === 'account.edit' || action === 'key.edit') return getEditTemplate(entry, template);
  const values = {
    account: toAccountPart(formatValue(details.account ?? ''), entry),
    amount: { text: formatAmount(details) },
    kind: { text: formatValue(details.kind ?? '') },
    plan: { text: formatValue(details.plan ?? '') },
    list: { text: target.slice(0, target.indexOf('/')) },
  };
  if (action === 'balance.adjust' && details.kind === 'top_up') return [words.topUp, values];
  if (action === 'balance.adjust' && details.kind === 'refund') return [words.refunded, values];
  return [action === 'price.set' && !target.startsWith(STANDARD) ? words.priceOfList : template, values];
}

function getEditTemplate(entry: AuditEntry, other: string): ReturnType<typeof getTemplate> {
  const changes = listChanges(entry);
  const [change] = changes;
  if (change === undefined) return [other, {}];
  const { suspended } = entry.details;
  if (changes.length > 1) {
    const wholes = [...new Set(changes.map(({ whole }) => toSentenceCase(whole)))];
    return [words.edits.several, { field: { text: new Intl.ListFormat('en').format(wholes) } }];
  }
  if (typeof suspended === 'boolean' && change.field === 'suspended') return [suspended ? words.edits.suspended : words.edits.resumed, {}];
  const { label, before, after } = change;
  const values = { field: { text: toSentenceCase(label) }, after: { text: formatPart(after) } };
  const hadNone = before === undefined || ('text' in before && before.text === words.none);
  return hadNone ? [words.edits.to, values] : [words.edits.fromTo, { ...values, before: { text: formatPart(before) } }];
}

/** The action as parts of a sentence. Parts with a URL link to the target. */
export function buildSentence(entry: AuditEntry): readonly SentencePart[] {
  const [template, values] = getTemplate(entry);
  const target = { text: getTargetName(entry), href: findTargetPath(entry) };
  return template
    .split(/(\{\w+\})/)
    .filter((part) => part !== '')
    .map((part) => (part.startsWith('{') ? ({ target, ...values }[part.slice(1, -1)] ?? { text: '' }) : { text: part }));
}
export const formatSentence = (entry: AuditEntry): string =>
  buildSentence(entry)
    .map(({ text }) => text)
    .join('');

/** Filters the shown entries. The server filtered by actor and action. */
export function matchesFilter(entry: AuditEntry, { q }: { readonly q: string }): boolean {
  const word = q.trim().toLowerCase();
  const texts = [
    getActorName(entry.actor, entry.names[entry.actor]),
    entry.actor,
    formatSentence(entry),
    entry.action,
    entry.target,
    formatValue(entry.details),
  ];
  return word === '' || texts.some((text) => text.toLowerCase().includes(word));
}
