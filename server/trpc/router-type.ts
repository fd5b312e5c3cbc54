/** The type of the router at `/trpc`, derived from the contract: types for `createTRPCClient<AppRouter>`, without any code. */
import type { TRPC_ERROR_CODE_KEY, TRPC_ERROR_CODE_NUMBER, TRPCBuiltRouter, TRPCMutationProcedure, TRPCQueryProcedure } from '@trpc/server';
import type { z } from 'zod';
import type { Contract } from '../../contract/index.ts';
import type { ErrorBody } from '../../contract/shared/error-bodies.ts';

/**
 * The `data` of an error; the client's type is `TRPCClientError<AppRouter>`. `data` is missing when the gateway was not reached.
 *
 * @see docs/guides/trpc.md
 */
export interface ErrorData {
  /** tRPC's code for the status: `UNAUTHORIZED`, `TOO_MANY_REQUESTS`. */
  readonly code: TRPC_ERROR_CODE_KEY;
  /** The HTTP status of the same call under `/v1`. */
  readonly httpStatus: number;
  /** The procedure, as in `stream.createResponse`. Absent when the request was rejected before its procedures were read. */
  readonly path?: string;
  /** The error, as in an error body under `/v1`: decide by `error.code`. */
  readonly error: ErrorBody['error'];
  /** The `x-request-id` of the call, for its operator and for `getUsage`. Null when unknown: the request itself was malformed. */
  readonly requestId: string | null;
  /** Seconds to wait before a retry. Null when unknown, or when a retry makes no sense. */
  readonly retryAfter: number | null;
}

/** An error as tRPC writes it. */
export interface ErrorShape {
  readonly message: string;
  /** The JSON-RPC number of the code, as tRPC defines it. */
  readonly code: TRPC_ERROR_CODE_NUMBER;
  readonly data: ErrorData;
}

/**
 * Without index signatures: unknown fields pass at run time, but the compiler finds a misspelt one. A plain map stays as it is, and so does a type that has no
 * index signature: the types of the published contract are closed at every depth, and keep their names.
 */
type Closed<T> = T extends string ? T : T extends readonly (infer Item)[] ? Closed<Item>[] : T extends object ? ClosedObject<T> : T;
type ClosedObject<T> = string extends keyof T
  ? [KnownKey<T>] extends [never]
    ? T
    : IsNewer<T> extends true
      ? T
      : { [Key in keyof T as Known<Key>]: Closed<T[Key]> }
  : T;
/** Whether it stands for what is newer than the contract, whose fields nobody knows. */
type IsNewer<T> = T extends { readonly type: infer Type extends string } ? (`${Type}` extends '(newer)' ? true : false) : false;
type Known<Key> = string extends Key ? never : number extends Key ? never : Key;
type KnownKey<T> = keyof { [Key in keyof T as Known<Key>]: true };

type Schema<R, Part extends string> = R extends { readonly [P in Part]: infer S extends z.ZodType } ? Closed<z.infer<S>> : unknown;
type Answer<R> = R extends { readonly responses: { readonly 200: infer S extends z.ZodType } } ? Closed<z.infer<S>> : never;
type StreamEvent<R> = R extends { readonly metadata: { readonly sse: infer S extends z.ZodType } } ? Closed<z.infer<S>> : never;

/** Path, query and body in one object, because their names never clash; void when all fields are optional. */
type Asked<R> = OrNothing<Schema<R, 'pathParams'> & Schema<R, 'query'> & Schema<R, 'body'>>;
// biome-ignore lint/suspicious/noConfusingVoidType: only an argument of type void can be omitted.
type OrNothing<T> = unknown extends T ? void : Record<never, never> extends T ? T | void : T;

/** Without the field that chooses between answer and stream: the procedure decides that. */
type Whole<T> = T extends { stream?: unknown } ? Omit<T, 'stream'> & { stream?: false | null } : T;
type Streamed<T> = T extends { stream?: unknown } ? Omit<T, 'stream'> & { stream?: true } : T;

/** Keeps the type as it is: tRPC's `Serialize` would map every answer again, field by field, although it is JSON already. */
type Wire<T> = { toJSON(): T };
type Procedure<Input, Output> = { input: Input; output: Output; meta: unknown };

type Name = keyof Contract;
type Streaming = { [N in Name]: Contract[N] extends { readonly metadata: { readonly sse: z.ZodType } } ? N : never }[Name];

/** A GET is a query, everything else a mutation. Operations that also stream have separate inputs. */
type Procedures = {
  [N in Name]: Contract[N] extends { readonly method: 'GET' }
    ? TRPCQueryProcedure<Procedure<Asked<Contract[N]>, Wire<Answer<Contract[N]>>>>
    : TRPCMutationProcedure<Procedure<N extends Streaming ? Whole<Asked<Contract[N]>> : Asked<Contract[N]>, Wire<Answer<Contract[N]>>>>;
};
type StreamProcedures = {
  [N in Streaming]: TRPCMutationProcedure<
    Procedure<Streamed<Asked<Contract[N]>>, AsyncIterable<Wire<StreamEvent<Contract[N]>>, void, unknown>>
  >;
};

/**
 * The operations of the gateway as a tRPC router, for `createTRPCClient<AppRouter>`: `listModels.query()`, `createChatCompletion.mutate({ … })`,
 * and under `stream` those whose answer is an async iterable of events.
 *
 * @see docs/guides/trpc.md
 */
export type AppRouter = TRPCBuiltRouter<
  { ctx: object; meta: object; errorShape: ErrorShape; transformer: false },
  Procedures & { stream: StreamProcedures }
>;
