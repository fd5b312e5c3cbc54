/** The type of the router at `/trpc`, derived from the contract: types for `createTRPCClient<AppRouter>`, without any code. */
import type { TRPC_ERROR_CODE_KEY, TRPC_ERROR_CODE_NUMBER, TRPCBuiltRouter, TRPCMutationProcedure, TRPCQueryProcedure } from '@trpc/server';
import type { z } from 'zod';
import type { Contract } from '../../../contract/index.ts';
import type { ErrorBody } from '../../../contract/shared/error-bodies.ts';

/**
 * The `data` of an error; the client's type is `TRPCClientError<AppRouter>`. `data` is missing if the gateway couldn't be reached.
 *
 * @see docs/guides/trpc.md
 */
export interface ErrorData {
  /** tRPC's code for the status, such as `UNAUTHORIZED` or `TOO_MANY_REQUESTS`. */
  readonly code: TRPC_ERROR_CODE_KEY;
  /** The HTTP status of the same call under `/v1`. */
  readonly httpStatus: number;
  /** The procedure, such as `stream.createResponse`. Omitted if the request was rejected before its procedures were read. */
  readonly path?: string;
  /** The error, like in an error body under `/v1`. Decide by `error.code`. */
  readonly error: ErrorBody['error'];
  /** The call's `x-request-id`, for its operator and for `getUsage`. Null if unknown, because the request itself was malformed. */
  readonly requestId: string | null;
  /** Seconds to wait before a retry. Null if unknown, or if a retry can't succeed. */
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
 * Removes index signatures: unknown fields pass at runtime, but the compiler finds misspelled ones. Plain maps, and types without index signatures, stay
 * unchanged: the published contract's types are closed at every depth and keep their names.
 */
type Closed<T> = T extends string ? T : T extends readonly (infer Item)[] ? Closed<Item>[] : T extends object ? ClosedObject<T> : T;
type ClosedObject<T> = string extends keyof T
  ? [KnownKey<T>] extends [never]
    ? T
    : IsNewerValue<T> extends true
      ? T
      : { [Key in keyof T as KnownName<Key>]: Closed<T[Key]> }
  : T;
/** Whether the type stands for values newer than the contract, whose fields are unknown. */
type IsNewerValue<T> = T extends { readonly type: infer Type extends string } ? (`${Type}` extends '(newer)' ? true : false) : false;
type KnownName<Key> = string extends Key ? never : number extends Key ? never : Key;
type KnownKey<T> = keyof { [Key in keyof T as KnownName<Key>]: true };

type Schema<R, Part extends string> = R extends { readonly [P in Part]: infer S extends z.ZodType } ? Closed<z.infer<S>> : unknown;
type ProcedureOutput<R> = R extends { readonly responses: { readonly 200: infer S extends z.ZodType } } ? Closed<z.infer<S>> : never;
type StreamEvent<R> = R extends { readonly metadata: { readonly sse: infer S extends z.ZodType } } ? Closed<z.infer<S>> : never;

/** Path, query and body in one object, because their names never clash. Void if all fields are optional. */
type ProcedureInput<R> = OrVoid<Schema<R, 'pathParams'> & Schema<R, 'query'> & Schema<R, 'body'>>;
// biome-ignore lint/suspicious/noConfusingVoidType: only an argument of type void can be omitted.
type OrVoid<T> = unknown extends T ? void : Record<never, never> extends T ? T | void : T;

/** Removes the field that chooses between response and stream, because the procedure decides that. */
type WithoutStream<T> = T extends { stream?: unknown } ? Omit<T, 'stream'> & { stream?: false | null } : T;
type WithStream<T> = T extends { stream?: unknown } ? Omit<T, 'stream'> & { stream?: true } : T;

/** Keeps the type unchanged: tRPC's `Serialize` would map every response again, field by field, although it's JSON already. */
type Wire<T> = { toJSON(): T };
type Procedure<Input, Output> = { input: Input; output: Output; meta: unknown };

type OperationName = keyof Contract;
type StreamingName = {
  [N in OperationName]: Contract[N] extends { readonly metadata: { readonly sse: z.ZodType } } ? N : never;
}[OperationName];

/** A GET is a query, every other method a mutation. Operations that also stream have separate inputs. */
type Procedures = {
  [N in OperationName]: Contract[N] extends { readonly method: 'GET' }
    ? TRPCQueryProcedure<Procedure<ProcedureInput<Contract[N]>, Wire<ProcedureOutput<Contract[N]>>>>
    : TRPCMutationProcedure<
        Procedure<
          N extends StreamingName ? WithoutStream<ProcedureInput<Contract[N]>> : ProcedureInput<Contract[N]>,
          Wire<ProcedureOutput<Contract[N]>>
        >
      >;
};
type StreamProcedures = {
  [N in StreamingName]: TRPCMutationProcedure<
    Procedure<WithStream<ProcedureInput<Contract[N]>>, AsyncIterable<Wire<StreamEvent<Contract[N]>>, void, unknown>>
  >;
};

/**
 * The gateway's operations as a tRPC router, for `createTRPCClient<AppRouter>`: `listModels.query()`, `createChatCompletion.mutate({ … })`. Procedures
 * under `stream` return an async iterable of events.
 *
 * @see docs/guides/trpc.md
 */
export type AppRouter = TRPCBuiltRouter<
  { ctx: object; meta: object; errorShape: ErrorShape; transformer: false },
  Procedures & { stream: StreamProcedures }
>;
