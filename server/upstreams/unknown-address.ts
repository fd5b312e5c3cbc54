/** An upstream that answers 404: its operator reads which address was asked, and what is mostly wrong with it. Callers are told nothing of either. */

import type { HttpUpstreamConfig, UpstreamConfig } from '../config/config.ts';
import { pathOf } from './path.ts';
import type { UpstreamRequest } from './upstream.ts';

interface Warnings {
  warn(fields: object, message: string): void;
}

interface Asked {
  /** Of the request. */
  readonly id: string;
  readonly upstream: UpstreamConfig | undefined;
  readonly status: number;
  readonly request: Pick<UpstreamRequest, 'operation' | 'path'>;
  /** As the upstream is asked for it. */
  readonly model: string;
}

/** 405 is what places answer that have something else there. */
const isUnknownAddress = (status: number): boolean => status === 404 || status === 405;

export function noteUnknownAddress(log: Warnings, { id, upstream, status, request, model }: Asked): void {
  if (!upstream || upstream.kind === 'simulator' || !isUnknownAddress(status)) return;
  const asked = `POST ${upstream.baseUrl}${pathOf(request)}`;
  log.warn(
    { id, upstream: upstream.name, status, asked, hint: hintOf(upstream, model) },
    'the upstream does not know what it was asked for',
  );
}

const namesVersion = (url: string): boolean => /\/v\d/.test(new URL(url).pathname);

/** An address holds no secret: that is seen to where it is read. */
function hintOf({ baseUrl, name }: HttpUpstreamConfig, model: string): string {
  const version = namesVersion(baseUrl) ? '' : ' Most vendors want /v1 at its end.';
  return `Look at baseUrl of the upstream ${name}.${version} If it is right, its vendor has no model '${model}': look at upstreamModel.`;
}
