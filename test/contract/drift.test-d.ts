/**
 * Checked by the compiler: the types that openapi-typescript makes from docs/generated/openapi.json are exactly those of the contract.
 * After you change the contract, run `npm run generate`. Mutual assignability would miss an added optional field, so both sides are flattened and compared for identity.
 */
import type { z } from 'zod';
import type { Contract } from '../../contract/index.ts';
import type { OutputPart } from '../../contract/responses/parts.ts';
import type { operations } from '../../docs/generated/openapi-types.gen.ts';

/** Whether a type has named fields; a free object has none. */
type IsNamed<T> = [keyof { [Key in keyof T as string extends Key ? never : Key]: T[Key] }] extends [never] ? false : true;
/**
 * Resolves intersections and aliases, so that only the fields are compared. Objects of the contract allow other fields; the document need not
 * say so, and its types do not.
 */
type Flat<T> = T extends string
  ? OneWord<T>
  : T extends readonly (infer Entry)[]
    ? Flat<Entry>[]
    : T extends { type: Newer }
      ? never
      : T extends object
        ? { [Key in keyof T as string extends Key ? (IsNamed<T> extends true ? never : Key) : Key]: Flat<T[Key]> }
        : T;

/** The document says of a word that may be any that it is a string. */
type OneWord<T extends string> = string & Record<never, never> extends T ? string : T;
/** It has no members for what is newer. */
type Newer = Exclude<z.infer<typeof OutputPart>, { type: 'output_text' | 'refusal' | 'reasoning_text' }>['type'];

type Identical<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Same<A, B> = Identical<Flat<A>, Flat<B>>;

/** Compiles only if every entry is true; the error names the operation and the part. */
type AllTrue<T extends Record<string, Record<string, true>>> = T;

type Name = keyof Contract;
type Infer<T> = T extends z.ZodType ? z.infer<T> : never;
type In<T> = T extends z.ZodType ? z.input<T> : never;
type Field<T, Key extends PropertyKey> = T extends { readonly [K in Key]?: infer Value } ? NonNullable<Value> : never;

type Answer<N extends Name, Status extends number> = Field<Field<Contract[N], 'responses'>, Status>;
type Body<N extends Name> = Infer<Field<Contract[N], 'body'>>;
type Event<N extends Name> = Infer<Field<Field<Contract[N], 'metadata'>, 'sse'>>;

type Documented<N extends Name> = operations[N];
type Media<T, Type extends string> = Field<Field<T, 'content'>, Type>;
type DocumentedBody<N extends Name> = Media<Field<Documented<N>, 'requestBody'>, 'application/json'>;
type DocumentedAnswer<N extends Name, Status extends number, Type extends string> = Media<
  Field<Field<Documented<N>, 'responses'>, Status>,
  Type
>;

type Parameters<N extends Name, Place extends string> = Field<Field<Documented<N>, 'parameters'>, Place>;
/** The document cannot say that a query ignores unknown fields. */
type Closed<T> = [T] extends [never] ? never : { [Key in keyof T as string extends Key ? never : Key]: T[Key] };

export type Requests = AllTrue<{
  [N in Name]: {
    // ts-rest requires a body for each POST, also where there is none.
    body: Contract[N] extends { readonly metadata: { readonly hasNoBody: true } } ? true : Same<Body<N>, DocumentedBody<N>>;
    path: Same<Infer<Field<Contract[N], 'pathParams'>>, Parameters<N, 'path'>>;
    query: Same<Closed<Infer<Field<Contract[N], 'query'>>>, Parameters<N, 'query'>>;
  };
}>;

/** The error statuses of an operation in the contract. */
type ErrorStatusOf<N extends Name> = Exclude<Extract<keyof Field<Contract[N], 'responses'>, number>, 200>;

export type Answers = AllTrue<{
  [N in Name]: {
    json: Same<Infer<Answer<N, 200>>, DocumentedAnswer<N, 200, 'application/json'>>;
    events: Same<Event<N>, DocumentedAnswer<N, 200, 'text/event-stream'>>;
    statuses: Same<keyof Field<Contract[N], 'responses'>, keyof Field<Documented<N>, 'responses'>>;
  };
}>;

/** For each status its codes, and their types. */
export type Errors = AllTrue<{
  [N in Name]: { [S in ErrorStatusOf<N>]: Same<Infer<Answer<N, S>>, DocumentedAnswer<N, S, 'application/json'>> };
}>;

/** The contract has no defaults and transforms, so one component serves requests and answers. */
export type Untransformed = AllTrue<{
  [N in Name]: {
    body: Identical<In<Field<Contract[N], 'body'>>, Body<N>>;
    answer: Identical<In<Answer<N, 200>>, Infer<Answer<N, 200>>>;
  };
}>;

/** `never` is identical to `never`, so these parts must exist to be compared. */
type Present<T> = [T] extends [never] ? false : true;
type Stored = 'getResponse' | 'cancelResponse' | 'deleteResponse' | 'listInputItems';
type Queried = 'listModels' | 'getCatalog' | 'getProtocol' | 'listInputItems' | 'listUsage' | 'getUsageSummary' | 'listStatement';
type Posted = Exclude<Name, Stored | Queried | 'getModel' | 'getUsage' | 'getAccount' | 'getKey' | 'countInputTokens' | 'compactResponse'>;
export type Compared = AllTrue<{
  [N in Posted]: {
    body: Present<Body<N>>;
    event: Present<Event<N>>;
    answer: Present<Infer<Answer<N, 200>>>;
    error: Present<Infer<Answer<N, 429>>>;
  };
}> &
  AllTrue<{ [N in Exclude<Name, Posted>]: { answer: Present<Infer<Answer<N, 200>>>; error: Present<Infer<Answer<N, 400>>> } }> &
  AllTrue<{
    [N in Stored | 'getModel' | 'getUsage']: {
      path: Present<Infer<Field<Contract[N], 'pathParams'>>>;
      documented: Present<Parameters<N, 'path'>>;
    };
  }> &
  AllTrue<{ [N in Queried]: { query: Present<Infer<Field<Contract[N], 'query'>>> } }>;

// ── The comparison itself can fail: each of these would be missed by a weaker one ─────────────────────────────────────────────────────

type Chat = Body<'createChatCompletion'>;
type DocumentedChat = DocumentedBody<'createChatCompletion'>;
type AllFalse<T extends Record<string, false>> = T;

export type Seen = AllFalse<{
  addedOptionalField: Same<Chat & { added?: string }, DocumentedChat>;
  addedNestedOptionalField: Same<Chat & { stream_options?: { added?: string } | null }, DocumentedChat>;
  narrowedField: Same<Omit<Chat, 'n'> & { n?: number }, DocumentedChat>;
  requiredField: Same<Chat & { temperature: number | null }, DocumentedChat>;
  anyInstead: Same<Chat, never>;
  nothingToCompare: Identical<never, Chat>;
  otherCode: Same<Infer<Answer<'createChatCompletion', 404>>, DocumentedAnswer<'getResponse', 404, 'application/json'>>;
}>;
