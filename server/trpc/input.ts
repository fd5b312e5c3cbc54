/** The input of a procedure → the request of its route: path, query and body. The route validates it. */
import type { AppRoute } from '@ts-rest/core';
import { GatewayError } from '../errors.ts';

export interface RouteRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** `isStream`: of the procedure under `stream`. */
export function requestOf(route: AppRoute, input: unknown, isStream: boolean): RouteRequest {
  const { method } = route;
  if (method === 'POST') return { method, path: route.path, body: JSON.stringify(chooseStream(input ?? {}, isStream)) };
  const rest = new Map(Object.entries(isFields(input) ? input : {}));
  const path = route.path.replace(/:(\w+)/g, (_whole, name: string) => takePart(rest, name));
  const query = queryOf(rest);
  return { method, path: query === '' ? path : `${path}?${query}`, body: undefined };
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

function takePart(rest: Map<string, unknown>, name: string): string {
  const value = rest.get(name);
  rest.delete(name);
  if (typeof value !== 'string' || value === '')
    throw new GatewayError('missing_required_parameter', { param: name, message: `'${name}' is missing: a string that is not empty.` });
  return encodeURIComponent(value);
}

/** In a URL every value is text; the route parses numbers and booleans again. */
function queryOf(fields: ReadonlyMap<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [name, value] of fields) {
    if (value === undefined || value === null) continue;
    query.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  return query.toString();
}

/** A field of the input must not change the kind of answer that the procedure's type declares. */
function chooseStream(input: unknown, isStream: boolean): unknown {
  if (!isFields(input)) return input;
  const { stream } = input;
  if (isStream && stream === false)
    throw new GatewayError('invalid_value', {
      param: 'stream',
      message: "Procedures under 'stream' answer with a stream; for one answer call the procedure of the same name without 'stream'.",
    });
  if (isStream) return { ...input, stream: true };
  if (stream === true)
    throw new GatewayError('invalid_value', {
      param: 'stream',
      message: "For a stream call the procedure of the same name under 'stream'.",
    });
  return input;
}
