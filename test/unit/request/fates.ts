/** Translates a text call for each kind of upstream: it is sent, refused, or sent without some fields. */
import { Quirks } from '../../../server/config/quirks-schema.ts';
import { jsonBody } from '../../../server/dialects/wire/json-body.ts';
import { GatewayError } from '../../../server/errors.ts';
import { openTranscoder, type ParsedRequest } from '../../../server/request/transcoder.ts';
import { placeAt } from './places.ts';

export type Body = Readonly<Record<string, unknown>>;
export type Caller = 'chat' | 'responses';
const operations = { chat: 'createChatCompletion', responses: 'createResponse' } as const satisfies Record<
  Caller,
  ParsedRequest['operation']
>;

const fields = { allow: [], deny: [] };
const beyond = ['web_search_options', 'seed', 'n'] as const;
const humble = Quirks.parse({ hints: false, streamUsage: false, reasoningEffort: 'ignore', unsupported: beyond });
const upstreams = {
  chat: { protocols: ['chat'], quirks: undefined },
  'chat, of a vendor that takes little': { protocols: ['chat'], quirks: humble },
  responses: { protocols: ['responses'], quirks: undefined },
  anthropic: { protocols: ['anthropic'], quirks: undefined },
  gemini: { protocols: ['gemini'], quirks: undefined },
} as const;
export type UpstreamKind = keyof typeof upstreams;
// `upstreams` has no other keys than its type.
export const upstreamKinds = Object.keys(upstreams) as UpstreamKind[];

export interface Fate {
  readonly sent: string;
  readonly ignored: readonly string[];
}

/** Null when the call is refused. */
export function pass(caller: Caller, upstream: UpstreamKind, value: Body): Fate | null {
  const { protocols, quirks } = upstreams[upstream];
  const model = placeAt('u', { protocols: [...protocols], quirks, fields });
  const head = () => ({ id: 'a', createdAt: 0, model: 'm', request: value, newId: (prefix: string) => prefix, now: () => 0 });
  try {
    const { body, path = '', ignored } = openTranscoder({ operation: operations[caller], body: jsonBody(value) }, model, head);
    if (body.kind !== 'json') throw new Error('A text call went out as a form.');
    return { sent: `${path} ${body.bytes}`, ignored };
  } catch (thrown) {
    if (thrown instanceof GatewayError && thrown.status === 400) return null;
    throw thrown;
  }
}
