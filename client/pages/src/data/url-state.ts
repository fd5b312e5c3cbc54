/** Keeps a page's state in its URL: range, filters, sorting, and open panel. "Back" undoes changes, and links can be shared. */
import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { DEFAULT_RANGE, isRange, type Range } from './ranges.ts';

/** A URL parameter: how to parse it, and its default if the parameter is missing or invalid. */
export interface Field<Value extends string> {
  readonly initial: Value;
  readonly accepts: (text: string) => text is Value;
}
export type Fields = Readonly<Record<string, Field<string>>>;
export type UrlState<Of extends Fields> = { readonly [Name in keyof Of]: Of[Name] extends Field<infer Value> ? Value : never };

/** Any text. Defaults to empty. */
export const text: Field<string> = { initial: '', accepts: (given): given is string => given.length <= 200 };
export const createEnumField = <const Value extends string>(values: readonly Value[], initial: NoInfer<Value>): Field<Value> => ({
  initial,
  // `as`: `includes` accepts only members.
  accepts: (given): given is Value => values.includes(given as Value),
});
export const range: Field<Range> = { initial: DEFAULT_RANGE, accepts: (given): given is Range => isRange(given) };
/** On or off, `1` in the URL. */
export const flag = createEnumField(['', '1'], '');

export function readState<Of extends Fields>(fields: Of, search: URLSearchParams): UrlState<Of> {
  const entries = Object.entries(fields).map(([name, { initial, accepts }]) => {
    const given = search.get(name);
    return [name, given !== null && accepts(given) ? given : initial] as const;
  });
  // `as`: one entry per field, each parsed by it.
  return Object.fromEntries(entries) as UrlState<Of>;
}

/** Returns the URL with these changes. Omits defaults and keeps other parameters. */
export function writeState<Of extends Fields>(fields: Of, search: URLSearchParams, changes: Partial<UrlState<Of>>): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const [name, value] of Object.entries<string | undefined>(changes)) {
    if (value === undefined || value === fields[name]?.initial) next.delete(name);
    else next.set(name, value);
  }
  return next;
}

export interface SetOptions {
  /** True while the user types, so that "Back" returns to the state before typing. */
  readonly replace?: boolean;
}

/** `fields` must be a constant of the module. */
export function useUrlState<Of extends Fields>(fields: Of): [UrlState<Of>, (changes: Partial<UrlState<Of>>, options?: SetOptions) => void] {
  const [search, setSearch] = useSearchParams();
  const state = useMemo(() => readState(fields, search), [fields, search]);
  const set = useCallback(
    (changes: Partial<UrlState<Of>>, options: SetOptions = {}) => setSearch((now) => writeState(fields, now, changes), options),
    [fields, setSearch],
  );
  return [state, set];
}
