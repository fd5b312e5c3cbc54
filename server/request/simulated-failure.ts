/** Recognises requests that ask a simulator to fail: they are free, so no money is held for them (docs/decisions/0049). */
import type { Candidate } from '../config/catalog.ts';
import type { Gateway } from '../gateway.ts';
import { isAskedToFail } from '../simulator/asked-scenario.ts';
import type { RequestContext } from './context.ts';
import type { Transcoder } from './transcoder.ts';
import { scenarioOf } from './upstream-request.ts';

/** Whether the candidate is a simulator and the request tells it to fail. */
export const failsOnDemand = (
  { config }: Gateway,
  call: RequestContext,
  { model, transcoder }: { readonly model: Candidate; readonly transcoder: Transcoder },
): boolean =>
  config.upstreams[model.upstream]?.kind === 'simulator' &&
  isAskedToFail({ operation: transcoder.operation, body: transcoder.body, scenario: scenarioOf(call) });
