/** A client of the operators' API: of a running gateway over HTTP, or of a data folder inside this process. */
import { STATUS_CODES } from 'node:http';
import type { z } from 'zod';
import type { RefusedReload } from '../../contract/admin/configuration.ts';
import type { AdminContract } from '../../contract/admin.ts';
import type { ErrorBody } from '../../contract/errors.ts';
import { problemLine } from '../config/problems.ts';
import { CommandError } from './failure.ts';

export type AdminName = keyof AdminContract;
type Part<R, K extends string, As extends string> = R extends { readonly [P in K]: infer S extends z.ZodType }
  ? { readonly [P in As]: z.input<S> }
  : unknown;
/** The input of a call: path parameters, query and body. */
export type Input<N extends AdminName> = Part<AdminContract[N], 'pathParams', 'params'> &
  Partial<Part<AdminContract[N], 'query', 'query'>> &
  Part<AdminContract[N], 'body', 'body'>;
export type Output<N extends AdminName> = AdminContract[N] extends { readonly responses: { readonly 200: infer S extends z.ZodType } }
  ? z.output<S>
  : never;

export interface AdminClient {
  /** Throws RefusedCall for every answer that is not 200. */
  call<N extends AdminName>(name: N, input: Input<N>): Promise<Output<N>>;
}

/** A call that got an error of the contract. */
export class RefusedCall extends CommandError {
  readonly code: string;
  readonly param: string | null;

  constructor({ error, problems = [] }: ErrorBody & Partial<RefusedReload>) {
    const [first, ...rest] = problems.map(({ hint, ...problem }) => problemLine({ ...problem, remedy: hint }));
    // The message already has the first one.
    super(first === undefined ? error.message : [error.message, ...rest].join('\n'));
    this.code = error.code;
    this.param = error.param;
  }
}

export interface Sent {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path, beginning with `/admin/v1`. */
  readonly path: string;
  readonly body: string | undefined;
}
export interface Answer {
  readonly status: number;
  readonly text: string;
}
export type Send = (request: Sent) => Promise<Answer>;

interface AnyInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

export function openClient(contract: AdminContract, send: Send): AdminClient {
  return {
    async call(name, input) {
      // `as`: a route that a type parameter selects has lost the type that all routes share.
      const { method, path } = contract[name] as Pick<Sent, 'method' | 'path'>;
      // `as`: each route has some of these three parts, and the type of `input` has checked which.
      const { params = {}, query = {}, body } = input as AnyInput;
      const { status, text } = await send({
        method,
        path: addressOf(path, params, query),
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      const value = parseAnswer(text);
      if (status !== 200) throw isErrorBody(value) ? new RefusedCall(value) : strange(status);
      // `as`: the type that the contract declares for 200; a newer gateway may add fields.
      return value as never;
    },
  };
}

function addressOf(path: string, params: Readonly<Record<string, string>>, query: Readonly<Record<string, unknown>>): string {
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const entries = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as const]));
  return entries.length === 0 ? filled : `${filled}?${new URLSearchParams(Object.fromEntries(entries))}`;
}

function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const strange = (status: number): CommandError =>
  new CommandError(
    `The answer was ${status} ${STATUS_CODES[status] ?? ''} and did not come from a Modelgate admin API. Is this the address of the admin listener?`,
  );

function isErrorBody(value: unknown): value is ErrorBody {
  if (typeof value !== 'object' || value === null || !('error' in value)) return false;
  const { error } = value;
  return typeof error === 'object' && error !== null && 'message' in error && 'code' in error;
}

/** To the admin listener of a running gateway. */
export function sendOver(base: string, key: string): Send {
  return async ({ method, path, body }) => {
    const headers = { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) };
    try {
      const answer = await fetch(`${base}${path}`, { method, headers, redirect: 'error', ...(body !== undefined && { body }) });
      return { status: answer.status, text: await answer.text() };
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
      throw new CommandError(
        `Nothing answers at ${base}: ${cause}. Give the address of the admin listener, such as http://127.0.0.1:8081.`,
      );
    }
  };
}
