/** One attempt at a fake vendor, with a grant that records its calls. */

import type { Evidence } from '../../../server/billing/metering.ts';
import { jsonBody } from '../../../server/dialects/wire/json-body.ts';
import type { Gateway } from '../../../server/gateway.ts';
import type { Recording } from '../../../server/history/recorder.ts';
import type { Grant } from '../../../server/request/admission.ts';
import type { HandedOn } from '../../../server/request/answer.ts';
import { runAttempt } from '../../../server/request/attempt.ts';
import { AttemptFailed } from '../../../server/request/failover.ts';
import { openTranscoder, type ParsedRequest } from '../../../server/request/transcoder.ts';
import { type Inside, useInside } from '../inside.ts';
import { openCall, principalOf } from './one-call.ts';

export const chat = (isStream = false): ParsedRequest => ({
  operation: 'createChatCompletion',
  body: jsonBody({ model: 'm', messages: [{ role: 'user', content: 'Hello.' }], stream: isStream }),
});
export const respond = (isStream = false): ParsedRequest => ({
  operation: 'createResponse',
  body: jsonBody({ model: 'm', input: 'Hello.', stream: isStream, store: false }),
});
export const draw = (isStream = false): ParsedRequest => ({
  operation: 'generateImages',
  body: jsonBody({ model: 'drawn', prompt: 'A cat.', stream: isStream }),
});

/** The calls of a grant in order, with other steps that a test records. */
export interface Steps {
  readonly names: string[];
  readonly evidence: Evidence[];
}

export function openSteps({
  until,
  fault,
}: {
  readonly until?: Promise<void>;
  readonly fault?: Error;
} = {}): Steps & { readonly grant: Grant } {
  const names: string[] = [];
  const evidence: Evidence[] = [];
  const told = async (what: string): Promise<void> => {
    names.push(what);
    await until;
    if (fault) throw fault;
    if (until) names.push('done');
  };
  const grant: Grant = {
    isMeasured: true,
    outputLimit: null,
    settle(said, outcome) {
      evidence.push(said);
      return told(`settle ${outcome}`);
    },
    release: (outcome) => told(`release ${outcome}`),
  };
  return { names, evidence, grant };
}

export interface AttemptOrder {
  readonly steps?: ReturnType<typeof openSteps>;
  readonly recording?: Recording | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly gateway?: Gateway;
  readonly call?: ReturnType<typeof openCall>;
}

/** Opens one gateway for the tests of a file. */
export function useAttempts(settings: Parameters<typeof useInside>[0] = {}) {
  const inside = useInside(settings);
  const begin = (
    ask: ParsedRequest,
    {
      steps = openSteps(),
      recording = null,
      headers = {},
      gateway = inside().gateway,
      call: given = openCall({ headers, principal: principalOf() }),
    }: AttemptOrder = {},
  ) => {
    const { call, hangUp } = given;
    const model = gateway.catalog.find(String(ask.body.value.model));
    const place = model && gateway.catalog.candidates(model)[0];
    if (!place) throw new Error('no such model');
    const ids = { id: 'id_1', createdAt: 1, model: place.id, request: {}, newId: () => 'id_2', now: () => 1 };
    const transcoder = openTranscoder(ask, place, () => ids);
    const isStream = ask.body.value.stream === true;
    const answer = runAttempt(gateway, call, {
      parsed: ask,
      model: place,
      transcoder,
      recording,
      taping: null,
      grant: steps.grant,
      session: null,
      isStream,
    });
    // A test may await the failure later.
    answer.catch(() => undefined);
    return { call, hangUp, steps, answer };
  };
  return { inside, begin };
}

/** The failure of an attempt, which allows another one. */
export async function failedAttempt(answer: Promise<HandedOn>): Promise<AttemptFailed> {
  const thrown = await answer.then(
    () => new Error('it was answered'),
    (error: unknown) => error,
  );
  if (thrown instanceof AttemptFailed) return thrown;
  throw new Error(`no failed attempt: ${thrown}`, { cause: thrown });
}

/** The gateway with other settings of the upstream `main`, for one attempt. */
export function withUpstream({ gateway }: Inside, changes: object): Gateway {
  const { config } = gateway;
  const upstreams = { ...config.upstreams, main: { ...config.upstreams.main, ...changes } };
  // The test gives settings of the right kind.
  return { ...gateway, config: { ...config, upstreams } as unknown as Gateway['config'] };
}
