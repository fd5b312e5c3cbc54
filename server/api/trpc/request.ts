/** Converts the input of a procedure to the request of its route. */
import type { AppRoute } from '@ts-rest/core';
import { GatewayError } from '../../primitives/errors.ts';

export interface RouteRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** `isStream`: whether the procedure is under `stream`. */
export function toRouteRequest(route: AppRoute, input: unknown, isStream: boolean): RouteRequest {
  const { method } = route;
  const sent = method === 'POST' || isStream ? setStreamField(input ?? {}, isStream) : input;
  const hasPathParameter = route.path.includes('/:');
  if (method === 'POST' && !hasPathParameter) return { method, path: route.path, body: JSON.stringify(sent) };
  const fields = new Map(Object.entries(isFields(sent) ? sent : {}));
  const path = route.path.replace(/:(\w+)/g, (_whole, name: string) => extractPathParameter(fields, name));
  const query = formatQuery(fields);
  return { method, path: query === '' ? path : `${path}?${query}`, body: undefined };
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

function extractPathParameter(fields: Map<string, unknown>, name: string): string {
  const value = fields.get(name);
  fields.delete(name);
  if (typeof value !== 'string' || value === '')
    throw new GatewayError('missing_required_parameter', { param: name, message: `'${name}' is required and must be a non-empty string.` });
  return encodeURIComponent(value);
}

/** In a URL, every value is a string. The route parses numbers and booleans again. */
function formatQuery(fields: ReadonlyMap<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [name, value] of fields) {
    if (value === undefined || value === null) continue;
    query.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  return query.toString();
}

/** An input field must not change the kind of response that the procedure's type declares. */
function setStreamField(input: unknown, isStream: boolean): unknown {
  if (!isFields(input)) return input;
  const { stream } = input;
  if (isStream && stream === false)
    throw new GatewayError('invalid_value', {
      param: 'stream',
      message: "Procedures under 'stream' return a stream. For a single response, call the procedure of the same name without 'stream'.",
    });
  if (isStream) return { ...input, stream: true };
  if (stream === true)
    throw new GatewayError('invalid_value', {
      param: 'stream',
      message: "To get a stream, call the procedure of the same name under 'stream'.",
    });
  return input;
}
