/** What a page shows is in its address: range, filters, sorting, open panel. "Back" undoes it, and a link shows a colleague the same. */
import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { DEFAULT_RANGE, isRange, type Range } from './ranges.ts';

/** A field of the address: how it is read, and what it is where the address says nothing or nonsense. */
export interface Field<Value extends string> {
  readonly initial: Value;
  readonly accepts: (text: string) => text is Value;
}
export type Fields = Readonly<Record<string, Field<string>>>;
export type UrlState<Of extends Fields> = { readonly [Name in keyof Of]: Of[Name] extends Field<infer Value> ? Value : never };

/** Any text; empty where it is absent. */
export const text: Field<string> = { initial: '', accepts: (given): given is string => given.length <= 200 };
export const createEnumField = <const Value extends string>(values: readonly Value[], initial: NoInfer<Value>): Field<Value> => ({
  initial,
  // `as`: `includes` takes the members alone.
  accepts: (given): given is Value => values.includes(given as Value),
});
export const range: Field<Range> = { initial: DEFAULT_RANGE, accepts: (given): given is Range => isRange(given) };
/** On or off, `1` in the address. */
export const flag = createEnumField(['', '1'], '');

export function readState<Of extends Fields>(fields: Of, search: URLSearchParams): UrlState<Of> {
  const entries = Object.entries(fields).map(([name, { initial, accepts }]) => {
    const given = search.get(name);
    return [name, given !== null && accepts(given) ? given : initial] as const;
  });
  // `as`: one entry a field, each accepted by it.
  return Object.fromEntries(entries) as UrlState<Of>;
}

/** The address with these changes; what has its initial value is omitted, and fields of others stay. */
export function writeState<Of extends Fields>(fields: Of, search: URLSearchParams, changes: Partial<UrlState<Of>>): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const [name, value] of Object.entries<string | undefined>(changes)) {
    if (value === undefined || value === fields[name]?.initial) next.delete(name);
    else next.set(name, value);
  }
  return next;
}

export interface SetOptions {
  /** True while somebody types: "back" goes to where he began. */
  readonly replace?: boolean;
}

/** `fields` is a constant of the module. */
export function useUrlState<Of extends Fields>(fields: Of): [UrlState<Of>, (changes: Partial<UrlState<Of>>, options?: SetOptions) => void] {
  const [search, setSearch] = useSearchParams();
  const state = useMemo(() => readState(fields, search), [fields, search]);
  const set = useCallback(
    (changes: Partial<UrlState<Of>>, options: SetOptions = {}) => setSearch((now) => writeState(fields, now, changes), options),
    [fields, setSearch],
  );
  return [state, set];
}
