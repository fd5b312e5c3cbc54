/** Types for values that our own code writes, derived from the contract. They exist at compile time only. */

/** The named fields of an object type, without the index signature of a schema that lets unknown fields pass. */
type Named<T> = keyof { [Key in keyof T as string extends Key ? never : Key]: true };

/**
 * A type of the contract for code that writes such a value: without index signatures at any depth, so that
 * the compiler rejects a field that is misspelled or not in the contract. Free fields, such as a JSON schema or `metadata`, stay free.
 * Every `T` is a `Written<T>`.
 */
export type Exact<T> = T extends string
  ? T
  : T extends readonly (infer Entry)[]
    ? readonly Exact<Entry>[]
    : T extends object
      ? [Named<T>] extends [never]
        ? T
        : { [Key in keyof T as string extends Key ? never : Key]: Exact<T[Key]> }
      : T;

/** The events of a stream with this `type`, or one of these types. */
export type EventOf<Event, Type> = Extract<Exact<Event>, { readonly type: Type }>;
/** The fields of such an event without its `type` and the fields that the writer adds. */
export type EventFields<Event, Type, Added extends string = never> = Type extends string
  ? Omit<EventOf<Event, Type>, 'type' | Added>
  : never;
