/** The type of the router at `/trpc`, worked out from the contract alone: what `createTRPCClient<AppRouter>` needs, and nothing that runs. */
import type { TRPC_ERROR_CODE_KEY, TRPC_ERROR_CODE_NUMBER, TRPCBuiltRouter, TRPCMutationProcedure, TRPCQueryProcedure } from '@trpc/server';
import type { z } from 'zod';
import type { ErrorBody } from '../../contract/errors.ts';
import type { Contract } from '../../contract/index.ts';

/**
 * What stands in `data` of an error. Typed at the client as `TRPCClientError<AppRouter>`; `data` is missing where the gateway was not reached.
 *
 * @see docs/guides/trpc.md
 */
export interface ErrorData {
  /** tRPC's word for the status: `UNAUTHORIZED`, `TOO_MANY_REQUESTS`. */
  readonly code: TRPC_ERROR_CODE_KEY;
  /** The status that the same call has under `/v1`. */
  readonly httpStatus: number;
  /** The procedure, as in `stream.createResponse`. Absent where the request was refused before its procedures were looked at. */
  readonly path?: string;
  /** As in the body of an error under `/v1`: decide by `error.code`. */
  readonly error: ErrorBody['error'];
  /** The `x-request-id` of the call, for its operator and for `getUsage`. Null where nobody knows: the request itself was malformed. */
  readonly requestId: string | null;
  /** In seconds: when it makes sense to try again. Null where nobody knows, or it makes none. */
  readonly retryAfter: number | null;
}

/** An error as tRPC writes it. */
export interface ErrorShape {
  readonly message: string;
  /** Of JSON-RPC, as tRPC numbers them. */
  readonly code: TRPC_ERROR_CODE_NUMBER;
  readonly data: ErrorData;
}

/** Without index signatures: unknown fields pass at run time, and the compiler sees a misspelt one. A mere map stays as it is. */
type Closed<T> = T extends readonly (infer Item)[] ? Closed<Item>[] : T extends object ? ClosedObject<T> : T;
type ClosedObject<T> = [KnownKey<T>] extends [never] ? T : { [Key in keyof T as Known<Key>]: Closed<T[Key]> };
type Known<Key> = string extends Key ? never : number extends Key ? never : Key;
type KnownKey<T> = keyof { [Key in keyof T as Known<Key>]: true };

type Schema<R, Part extends string> = R extends { readonly [P in Part]: infer S extends z.ZodType } ? Closed<z.infer<S>> : unknown;
type Answer<R> = R extends { readonly responses: { readonly 200: infer S extends z.ZodType } } ? Closed<z.infer<S>> : never;
type StreamEvent<R> = R extends { readonly metadata: { readonly sse: infer S extends z.ZodType } } ? Closed<z.infer<S>> : never;

/** Path, query and body in one object, as their names never meet; nothing at all where nothing has to be said. */
type Asked<R> = OrNothing<Schema<R, 'pathParams'> & Schema<R, 'query'> & Schema<R, 'body'>>;
// biome-ignore lint/suspicious/noConfusingVoidType: only an argument of type void can be left out.
type OrNothing<T> = unknown extends T ? void : Record<never, never> extends T ? T | void : T;

/** The field that chooses between answer and stream is chosen by the procedure. */
type Whole<T> = T extends { stream?: unknown } ? Omit<T, 'stream'> & { stream?: false | null } : T;
type Streamed<T> = T extends { stream?: unknown } ? Omit<T, 'stream'> & { stream?: true } : T;

/** Hands the type through tRPC's own `Serialize`, which would take every answer apart again, field by field. What is sent is JSON as it is. */
type Wire<T> = { toJSON(): T };
type Procedure<Input, Output> = { input: Input; output: Output; meta: unknown };

type Name = keyof Contract;
type Streaming = { [N in Name]: Contract[N] extends { readonly metadata: { readonly sse: z.ZodType } } ? N : never }[Name];

/** A GET changes nothing and is a query, all else a mutation. Inputs of operations that also stream are written apart. */
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
