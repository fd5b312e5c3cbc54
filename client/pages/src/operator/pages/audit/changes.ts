/** What an entry of the audit log changed, field by field. */
import type { AuditEntry } from '../../../../../../contract/admin/operators.ts';
import { kit } from '../../../texts/kit.ts';
import { type FieldValue, getFieldLabel, readField, type Value } from './values.ts';

export interface Change {
  /** Its name in the API or the store. */
  readonly field: string;
  readonly label: string;
  /** What the field that it is a part of is called as a whole. */
  readonly whole: string;
  /** Absent where the entry has no earlier values. */
  readonly before?: Value;
  readonly after: Value;
}

/** Shown elsewhere, or of no use to a reader; all of them are in the raw JSON. */
const omitted = ['before', 'session', 'id', 'inheritedCaps'];
const nothing: Value = { text: kit.none };

const isSame = (one: Value | undefined, other: Value | undefined): boolean => JSON.stringify(one) === JSON.stringify(other);

/** `as`: the API writes an object there, or nothing. */
const getBefore = ({ details }: AuditEntry) => details.before as Readonly<Record<string, unknown>> | undefined;
export const hasBefore = (entry: AuditEntry): boolean => getBefore(entry) !== undefined;

/** With earlier values, only what differs from them. */
export function listChanges(entry: AuditEntry): readonly Change[] {
  const before = getBefore(entry);
  return Object.entries(entry.details)
    .filter(([name, value]) => !omitted.includes(name) && (value !== null || before !== undefined))
    .flatMap(([name, value]) => {
      const whole = getFieldLabel(name, value);
      const parts = readField(name, value);
      if (before === undefined || !(name in before))
        return before ? [] : parts.map(({ label, value: after }) => ({ field: name, label, whole, after }));
      return diffFields(parts, readField(name, before[name]), name === 'prices').map((change) => ({ ...change, field: name, whole }));
    });
}

/** `isReplaced`: what is missing afterwards is gone; otherwise it stayed as it was. */
function diffFields(
  after: readonly FieldValue[],
  before: readonly FieldValue[],
  isReplaced: boolean,
): readonly Omit<Change, 'field' | 'whole'>[] {
  const find = (among: readonly FieldValue[], label: string) => among.find((one) => one.label === label)?.value;
  const gone = isReplaced ? before.filter(({ label }) => find(after, label) === undefined) : [];
  return [
    ...after
      .map(({ label, value }) => ({ label, before: find(before, label) ?? nothing, after: value }))
      .filter((change) => !isSame(change.before, change.after)),
    ...gone.map(({ label, value }) => ({ label, before: value, after: nothing })),
  ];
}
