/** Derives types from the contract: an operation's input, response, and errors. */
import type { AppRoute, ClientInferRequest, ClientInferResponseBody } from '@ts-rest/core';

/** Operations of a contract, by name. */
export type Operations = Readonly<Record<string, AppRoute>>;

type RouteRequest<Route extends AppRoute> = ClientInferRequest<Route>;
type Field<Route extends AppRoute, Name extends string> = RouteRequest<Route> extends { readonly [K in Name]: infer Value } ? Value : never;
type FieldOrAbsent<Route extends AppRoute, Name extends string> =
  RouteRequest<Route> extends { readonly [K in Name]?: infer Value } ? Value : never;

type Params<Route extends AppRoute> = [Field<Route, 'params'>] extends [never] ? unknown : { readonly params: Field<Route, 'params'> };
/** ts-rest requires `query` even if all its fields are optional. Here, it can be omitted then. */
type Query<Route extends AppRoute> = Route extends { readonly query: unknown }
  ? object extends FieldOrAbsent<Route, 'query'>
    ? { readonly query?: FieldOrAbsent<Route, 'query'> }
    : { readonly query: FieldOrAbsent<Route, 'query'> }
  : unknown;
type Body<Route extends AppRoute> = Route extends { readonly body: infer Schema }
  ? Schema extends null
    ? unknown
    : { readonly body: FieldOrAbsent<Route, 'body'> }
  : unknown;

/** The input of an operation: `params` of the path, `query`, and `body`. */
export type Input<Route extends AppRoute> = Params<Route> & Query<Route> & Body<Route>;

/** The body of a successful response. */
export type Success<Route extends AppRoute> = ClientInferResponseBody<Route, 200>;

type ErrorBody<Route extends AppRoute> = Exclude<ClientInferResponseBody<Route>, Success<Route>>;
/** The error codes that the contract lists for the operation. */
export type RouteErrorCode<Route extends AppRoute> =
  ErrorBody<Route> extends { error: { code: infer Code extends string } } ? Code : string;

/** The input as an argument, optional if nothing in it is required. */
export type Arguments<Route extends AppRoute> = object extends Input<Route> ? [input?: Input<Route>] : [input: Input<Route>];
