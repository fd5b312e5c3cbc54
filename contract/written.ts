/** Types of what a program writes by itself, made from those of the contract. They are gone when the program runs. */

/** The fields that an object has by name. A schema that lets others pass has an index besides, which stands for none of them. */
type Named<T> = keyof { [Key in keyof T as string extends Key ? never : Key]: true };

/**
 * A shape of the contract as whoever writes it has to write it: without the index that lets unknown fields pass, at any depth, so that
 * the compiler sees a field that is misspelt or was never promised. What is free by contract, such as a JSON schema or `metadata`, stays free.
 * Every `T` is a `Written<T>`.
 */
export type Written<T> = T extends readonly (infer Entry)[]
  ? readonly Written<Entry>[]
  : T extends object
    ? [Named<T>] extends [never]
      ? T
      : { [Key in keyof T as string extends Key ? never : Key]: Written<T[Key]> }
    : T;

/** One event of a stream, or several, by the `type`. */
export type EventOf<Event, Type> = Extract<Written<Event>, { readonly type: Type }>;
/** What such an event says besides its `type` and the fields that its teller adds. */
export type EventFields<Event, Type, Added extends string = never> = Type extends string
  ? Omit<EventOf<Event, Type>, 'type' | Added>
  : never;
