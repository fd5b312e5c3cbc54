/** The changes of an audit log entry, field by field. */
import type { AuditEntry } from '../../../../../../contract/admin/operators.ts';
import { kit } from '../../../texts/kit.ts';
import { type FieldValue, getFieldLabel, readField, type Value } from './values.ts';

export interface Change {
  /** Its name in the API or the store. */
  readonly field: string;
  readonly label: string;
  /** Name of the field that this value is part of. */
  readonly whole: string;
  /** Undefined if the entry has no earlier values. */
  readonly before?: Value;
  readonly after: Value;
}

/** Fields that are shown elsewhere or not useful to readers. The raw JSON contains all fields. */
const omitted = ['before', 'session', 'id', 'capOwner'];
const nothing: Value = { text: kit.none };

const isSame = (one: Value | undefined, other: Value | undefined): boolean => JSON.stringify(one) === JSON.stringify(other);

/** `as`: the API returns an object or nothing. */
const getBefore = ({ details }: AuditEntry) => details.before as Readonly<Record<string, unknown>> | undefined;
export const hasBefore = (entry: AuditEntry): boolean => getBefore(entry) !== undefined;

/** Returns only fields that differ from earlier values, if there are any. */
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

/** `isReplaced`: missing fields were removed. Otherwise, they stayed the same. */
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
