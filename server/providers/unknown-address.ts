/** Warns the operator if an upstream doesn't have the path or model of a request, with a hint about its baseUrl. */
import type { HttpUpstreamConfig, UpstreamConfig } from '../config/config.ts';
import { getRequestUrl } from './clouds/find-envelope.ts';
import type { UpstreamRequest } from './upstream.ts';

interface RejectedRequest {
  /** The request ID. */
  readonly id: string;
  readonly upstream: UpstreamConfig | undefined;
  readonly status: number;
  readonly request: Pick<UpstreamRequest, 'operation' | 'path'>;
  /** The upstream's own model ID. */
  readonly model: string;
}

/** Servers that have another resource at this path respond with 405. */
const isNotFoundStatus = (status: number): boolean => status === 404 || status === 405;

export function warnUnknownAddress(
  log: { warn(fields: object, message: string): void },
  { id, upstream, status, request, model }: RejectedRequest,
): void {
  if (!upstream || upstream.kind === 'simulator' || !isNotFoundStatus(status)) return;
  const requestLine = `POST ${getRequestUrl(upstream, { ...request, model, stream: false })}`;
  log.warn(
    { id, upstream: upstream.name, status, request: requestLine, hint: createHint(upstream, model) },
    'upstream has no such path or model',
  );
}

const hasVersionPath = (url: string): boolean => /\/v\d/.test(new URL(url).pathname);

/** `baseUrl` is safe to log: the configuration rejects URLs with a user name or password. */
function createHint({ baseUrl, name }: HttpUpstreamConfig, model: string): string {
  const versionHint = hasVersionPath(baseUrl) ? '' : " Most providers' base URLs end in /v1.";
  return `Check baseUrl of upstream ${name}.${versionHint} If it's correct, the provider has no model '${model}': check upstreamModel.`;
}
