/** A client of the admin API, typed by the contract: sends requests over HTTP or into this process. */

import type { z } from 'zod';
import type { RejectedReload } from '../../../contract/admin/configuration.ts';
import type { AdminContract } from '../../../contract/admin/index.ts';
import type { ErrorBody } from '../../../contract/shared/error-bodies.ts';
import { formatProblem } from '../../config/config-error.ts';
import { nodeHttp } from '../../primitives/node-http.ts';
import { CommandError } from './command-error.ts';

interface Page {
  readonly data: readonly unknown[];
  readonly has_more: boolean;
  readonly last_id: string | null;
}

const PAGE_LENGTH = 1000;

/** Fetches all pages of a list that accepts `limit` and `after`, and returns them as one. */
export async function listAllPages<N extends AdminName>(client: AdminClient, name: N, input: Input<N>): Promise<Output<N>> {
  const data: unknown[] = [];
  let after: string | undefined;
  for (;;) {
    // `as`: every paged list accepts these two fields and responds with pages.
    const fields = { ...(input as object), limit: PAGE_LENGTH, after } as Input<N>;
    const page = (await client.call(name, fields)) as Page & Output<N>;
    data.push(...page.data);
    if (!page.has_more || page.last_id === null) return { ...page, data };
    after = page.last_id;
  }
}

export type AdminName = keyof AdminContract;

type FieldsOf<R, K extends string> = R extends { readonly [P in K]: infer S extends z.ZodType } ? NonNullable<z.input<S>> : unknown;

/** Input of a call: the fields of its path, query, and body. */
export type Input<N extends AdminName> = FieldsOf<AdminContract[N], 'pathParams'> &
  FieldsOf<AdminContract[N], 'query'> &
  FieldsOf<AdminContract[N], 'body'>;

export type Output<N extends AdminName> = AdminContract[N] extends { readonly responses: { readonly 200: infer S extends z.ZodType } }
  ? z.output<S>
  : never;

export interface AdminClient {
  /** Throws RejectedCall for an API error, and another CommandError for any other response that isn't 200. */
  call<N extends AdminName>(name: N, input: Input<N>): Promise<Output<N>>;
}

/** Thrown if the admin API responds with an error. */
export class RejectedCall extends CommandError {
  readonly code: string;
  readonly param: string | null;

  constructor({ error, problems = [] }: ErrorBody & Partial<RejectedReload>) {
    const [firstProblem, ...otherProblems] = problems.map(({ hint, ...problem }) => formatProblem({ ...problem, remedy: hint }));
    // The message already contains the first problem.
    super(firstProblem === undefined ? error.message : [error.message, ...otherProblems].join('\n'));
    this.code = error.code;
    this.param = error.param;
  }
}

interface AdminRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path, starting with `/admin/v1`. */
  readonly path: string;
  readonly body: string | undefined;
}

export type SendRequest = (request: AdminRequest) => Promise<{ status: number; text: string }>;

export function openAdminClient(contract: AdminContract, send: SendRequest): AdminClient {
  return {
    async call(name, input) {
      // `as`: indexing by a type parameter loses the type that all routes share.
      const { method, path, body } = contract[name] as Pick<AdminRequest, 'method' | 'path'> & { readonly body?: unknown };
      const fields = Object.entries(input as object).filter(([, value]) => value !== undefined);
      const isInPath = ([field]: readonly [string, unknown]): boolean => path.split('/').includes(`:${field}`);
      const otherFields = fields.filter((field) => !isInPath(field));
      const { status, text } = await send({
        method,
        path: fillPath(path, fields.filter(isInPath)) + (method === 'GET' ? formatQuery(otherFields) : ''),
        body: method === 'GET' || !body ? undefined : JSON.stringify(Object.fromEntries(otherFields)),
      });
      const value = parseResponse(text);
      if (status !== 200) throw isErrorBody(value) ? new RejectedCall(value) : createUnexpectedResponseError(status);
      // `as`: the contract declares this type for 200. A newer gateway may add fields.
      return value as never;
    },
  };
}

type Fields = readonly (readonly [string, unknown])[];

const fillPath = (path: string, fields: Fields): string =>
  fields.reduce((filled, [name, value]) => filled.replace(`:${name}`, () => encodeURIComponent(String(value))), path);

const formatQuery = (fields: Fields): string =>
  fields.length === 0 ? '' : `?${new URLSearchParams(fields.map(([name, value]): [string, string] => [name, String(value)]))}`;

function parseResponse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const createUnexpectedResponseError = (status: number): CommandError =>
  new CommandError(
    `The response was ${status} ${nodeHttp.STATUS_CODES[status] ?? ''} and didn't come from a Modelgate admin API. Check that this is the address of the admin listener.`,
  );

function isErrorBody(value: unknown): value is ErrorBody {
  if (typeof value !== 'object' || value === null || !('error' in value)) return false;
  const { error } = value;
  return typeof error === 'object' && error !== null && 'message' in error && 'code' in error;
}

/** Sends requests to the admin listener of a running gateway. */
export function createHttpSender(base: string, key: string): SendRequest {
  return async ({ method, path, body }) => {
    const headers = { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) };
    try {
      const response = await fetch(`${base}${path}`, { method, headers, redirect: 'error', ...(body !== undefined && { body }) });
      return { status: response.status, text: await response.text() };
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
      throw new CommandError(`Can't reach ${base}: ${cause}. Specify the address of the admin listener, such as http://127.0.0.1:8081.`);
    }
  };
}
