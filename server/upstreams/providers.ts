/** One row for each kind of upstream: how it is opened. */
import type { Config, UpstreamConfig } from '../config.ts';
import { GatewayError } from '../errors.ts';
import { openHttpUpstream } from './http.ts';
import { openSimulator } from './simulator/simulator.ts';
import type { Upstream } from './upstream.ts';

function open(config: UpstreamConfig): Upstream {
  switch (config.kind) {
    case 'openai':
    case 'openai-compatible':
    case 'anthropic':
    case 'gemini':
      return openHttpUpstream(config);
    case 'simulator':
      return openSimulator({ name: config.name, eventDelayMs: config.eventDelayMs });
  }
}

export interface Upstreams {
  find(name: string): Upstream;
  close(): Promise<void>;
}

export function openUpstreams(config: Config): Upstreams {
  const byName = new Map(Object.entries(config.upstreams).map(([name, settings]) => [name, open(settings)]));
  return {
    find(name) {
      const upstream = byName.get(name);
      if (!upstream)
        throw new GatewayError('no_upstream_available', { headers: { 'retry-after': '30' }, cause: `no upstream named ${name}` });
      return upstream;
    },
    async close() {
      await Promise.allSettled([...byName.values()].map((upstream) => upstream.close()));
    },
  };
}
