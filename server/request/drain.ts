/** Whether and how an answer is read to its end after its caller has disconnected. */
import type { Candidate } from '../config/catalog.ts';
import type { Gateway } from '../gateway.ts';
import { Drain } from '../upstreams/client-gone-drain.ts';
import type { RequestContext } from './context.ts';

type UpstreamSettings = Exclude<Gateway['config']['upstreams'][string], { kind: 'simulator' }>;

/** Whether an answer is read to its end after a disconnect. By default it is when requests are charged: leaving early must not make them cheaper. */
const isDrained = ({ config }: Gateway, { onClientGone }: UpstreamSettings): boolean =>
  (onClientGone ?? (config.billing === 'off' ? 'abort' : 'drain')) === 'drain';

/** Null when a disconnect aborts the upstream at once, or never (an idempotent answer is completed for the retry). */
export function openDrain(gateway: Gateway, call: RequestContext, model: Candidate): Drain | null {
  const { config, draining } = gateway;
  const upstream = config.upstreams[model.upstream];
  if (!upstream || upstream.kind === 'simulator' || !isDrained(gateway, upstream) || call.once) return null;
  const drain = new Drain(call.gone, upstream);
  call.gone.once('abort', () => register(draining, call, drain));
  return drain;
}

/** Registers an answer that is read to its end, until it is settled: a gateway that stops can then end it early. */
function register(draining: Gateway['draining'], call: RequestContext, drain: Drain): void {
  const { settled } = call;
  if (!settled) return;
  // An answer that has ended already has nothing left to read.
  call.isDrained = call.end === null;
  draining.add({ settled, cut: () => drain.stop() });
}
