/** Calls that ask a simulator to fail: they cost nothing, so nothing is held for them (docs/decisions/0049). */

import type { Candidate } from '../config/catalog.ts';
import type { Gateway } from '../gateway.ts';
import { isAskedToFail } from '../simulator/asked-scenario.ts';
import type { RequestContext } from './context.ts';
import type { Transcoder } from './transcoder.ts';
import { scenarioOf } from './upstream-request.ts';

/** Whether this place is a simulator that will fail because it is told to. */
export const failsOnDemand = (
  { config }: Gateway,
  call: RequestContext,
  { model, passage }: { readonly model: Candidate; readonly passage: Transcoder },
): boolean =>
  config.upstreams[model.upstream]?.kind === 'simulator' &&
  isAskedToFail({ operation: passage.operation, body: passage.body, scenario: scenarioOf(call) });
