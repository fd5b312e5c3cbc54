/** How an entry of the audit log is read: who it was, where its target is, and its details in a line. */
import type { AuditEntry } from '../../../../../../contract/admin/operators.ts';
import { audit as words } from '../../../texts/audit.ts';

/** Names of admin keys by id. */
export type Names = ReadonlyMap<string, string>;

export function nameOf(actor: string, names: Names): string {
  const known: Readonly<Record<string, string>> = words.actors;
  return names.get(actor) ?? known[actor] ?? actor;
}
export const actorOf = ({ actor }: AuditEntry, names: Names): string => nameOf(actor, names);

/** The page that shows the target; undefined where none does. */
export function pathOf({ target, action }: AuditEntry): string | undefined {
  const id = encodeURIComponent(target);
  if (target.startsWith('acct_')) return `/accounts/${id}`;
  if (target.startsWith('key_')) return `/keys?open=${id}`;
  if (action === 'price.set') return `/prices?open=${id}`;
  return undefined;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** All of them, by name. */
export const detailsOf = ({ details }: AuditEntry): (readonly [name: string, text: string])[] =>
  Object.entries(details)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [name, textOf(value)] as const);

const MAX_LETTERS = 90;

/** In a line; what has parts of its own is only named. */
export function lineOf({ details }: AuditEntry): string {
  const line = Object.entries(details)
    .filter(([name, value]) => name !== 'session' && name !== 'id' && value !== null)
    .map(([name, value]) => (typeof value === 'object' ? `${name}: …` : `${name}: ${textOf(value)}`))
    .join(', ');
  return line.length > MAX_LETTERS ? `${line.slice(0, MAX_LETTERS - 1)}…` : line;
}

/** Of what is shown: the server chose by actor and action. */
export function fits(entry: AuditEntry, { q }: { readonly q: string }, names: Names): boolean {
  const word = q.trim().toLowerCase();
  const texts = [actorOf(entry, names), entry.actor, entry.target, ...detailsOf(entry).map(([, text]) => text)];
  return word === '' || texts.some((text) => text.toLowerCase().includes(word));
}
