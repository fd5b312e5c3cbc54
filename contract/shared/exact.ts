/** Types for values that our own code writes, derived from the contract. They exist only at compile time. */

/** The declared fields of an object type, without the index signature of loose schemas. */
type Named<T> = keyof { [Key in keyof T as string extends Key ? never : Key]: true };

/**
 * A contract type for values that our code writes. It has no index signatures at any depth, so that the compiler rejects misspelled or
 * unknown fields.
 * Free-form objects, such as a JSON schema or `metadata`, stay open. Every `T` is assignable to `Exact<T>`.
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

/** The stream events with one of the given types. */
export type EventOf<Event, Type> = Extract<Exact<Event>, { readonly type: Type }>;
/** The fields of an event, without `type` and the fields that the writer adds. */
export type EventFields<Event, Type, Added extends string = never> = Type extends string
  ? Omit<EventOf<Event, Type>, 'type' | Added>
  : never;
