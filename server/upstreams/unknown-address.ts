/** Warns the operator in the log when an upstream answers 404 or 405: the address that was requested, and its likely mistake. Callers see neither. */

import type { HttpUpstreamConfig, UpstreamConfig } from '../config/config.ts';
import { addressOf } from './envelopes/of-upstream.ts';
import type { UpstreamRequest } from './upstream.ts';

interface Warnings {
  warn(fields: object, message: string): void;
}

interface RefusedRequest {
  /** Of the request. */
  readonly id: string;
  readonly upstream: UpstreamConfig | undefined;
  readonly status: number;
  readonly request: Pick<UpstreamRequest, 'operation' | 'path'>;
  /** The upstream's own id of the model. */
  readonly model: string;
}

/** Servers that have something else at this path answer 405. */
const isUnknownAddress = (status: number): boolean => status === 404 || status === 405;

export function noteUnknownAddress(log: Warnings, { id, upstream, status, request, model }: RefusedRequest): void {
  if (!upstream || upstream.kind === 'simulator' || !isUnknownAddress(status)) return;
  const asked = `POST ${addressOf(upstream, { ...request, model, stream: false })}`;
  log.warn(
    { id, upstream: upstream.name, status, asked, hint: hintOf(upstream, model) },
    'the upstream does not know this path or this model',
  );
}

const namesVersion = (url: string): boolean => /\/v\d/.test(new URL(url).pathname);

/** `baseUrl` may be logged: the configuration refuses an address with a user name or password. */
function hintOf({ baseUrl, name }: HttpUpstreamConfig, model: string): string {
  const version = namesVersion(baseUrl) ? '' : ' Most vendors want /v1 at its end.';
  return `Look at baseUrl of the upstream ${name}.${version} If it is right, its vendor has no model '${model}': look at upstreamModel.`;
}
