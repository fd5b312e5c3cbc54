/** What the contract says of a call, as types: what it is called with, what it answers, which errors it has. */
import type { AppRoute, ClientInferRequest, ClientInferResponseBody } from '@ts-rest/core';

/** Operations of a contract, by name. */
export type Operations = Readonly<Record<string, AppRoute>>;

type RouteRequest<Route extends AppRoute> = ClientInferRequest<Route>;
type Field<Route extends AppRoute, Name extends string> = RouteRequest<Route> extends { readonly [K in Name]: infer Value } ? Value : never;
type FieldOrAbsent<Route extends AppRoute, Name extends string> =
  RouteRequest<Route> extends { readonly [K in Name]?: infer Value } ? Value : never;

type Params<Route extends AppRoute> = [Field<Route, 'params'>] extends [never] ? unknown : { readonly params: Field<Route, 'params'> };
/** ts-rest asks for `query` even where all of it is optional; a call need not have it then. */
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

/** What a call of the operation takes: `params` of its path, `query`, `body`. */
export type Input<Route extends AppRoute> = Params<Route> & Query<Route> & Body<Route>;

/** The body of its success. */
export type Success<Route extends AppRoute> = ClientInferResponseBody<Route, 200>;

type ErrorBody<Route extends AppRoute> = Exclude<ClientInferResponseBody<Route>, Success<Route>>;
/** The codes of its errors, as the contract lists them. */
export type RouteErrorCode<Route extends AppRoute> =
  ErrorBody<Route> extends { error: { code: infer Code extends string } } ? Code : string;

/** The input as an argument that can be omitted where nothing of it is needed. */
export type Arguments<Route extends AppRoute> = object extends Input<Route> ? [input?: Input<Route>] : [input: Input<Route>];
