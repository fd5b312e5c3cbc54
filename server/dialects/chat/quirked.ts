/** Chat completions with the quirks of one vendor: edits the body of a chat caller in place; writes a turn for other callers. */
import { type Fields, isSet } from '../../../contract/rule.ts';
import type { Relay } from '../dialect.ts';
import { offeredOnce } from '../turn/tool-names.ts';
import type { Turn, UpstreamDialect } from '../turn/turn.ts';
import { withFields } from '../wire/json-body.ts';
import { type CallerWords, type ChatQuirks, quirkChanges, thoughtsField, thoughtsPlace } from './quirks.ts';
import { readChatAnswer } from './read-answer.ts';
import { openChatStream } from './read-stream.ts';
import { chatChanges, chatRelay } from './relay.ts';
import { thoughtsMoved } from './thinking-parts.ts';
import { writeChatRequest } from './write-request.ts';

const chatWords = ({ reasoning_effort }: Fields): CallerWords => ({
  format: 'response_format',
  effort: isSet(reasoning_effort) ? 'reasoning_effort' : 'reasoning.effort',
  logprobs: 'logprobs',
  tool: (index) => `tools[${index}].function`,
});

/** `store` is set to false only when the caller sent it, since some vendors do not have the field. */
const kept = ({ store }: Fields): Fields => (store === undefined ? {} : { store: false });

/** Overrides what is done for upstreams that have `reasoning_effort` alone. */
const keptReasoning = ({ reasoning, reasoning_effort }: Fields, { reasoningObject }: ChatQuirks): Fields =>
  reasoningObject && reasoning !== undefined ? { reasoning, reasoning_effort } : {};

export const quirkedRelay = (quirks: ChatQuirks): Relay => ({
  ...chatRelay,
  writeRequest(body, options) {
    const thoughts = thoughtsMoved(body.value, thoughtsPlace(quirks));
    const written = withFields(body, {
      ...chatChanges(body, options),
      ...keptReasoning(body.value, quirks),
      ...thoughts,
      ...kept(body.value),
    });
    return withFields(written, quirkChanges(written.value, quirks, chatWords(body.value)));
  },
});

/** A chat upstream gets the tools that the caller runs, in the caller's order. */
function turnWords({ tools }: Turn): CallerWords {
  const written = offeredOnce(tools.filter((tool) => tool.kind !== 'hosted'));
  return { format: 'text.format', effort: 'reasoning.effort', logprobs: 'top_logprobs', tool: (index) => written[index]?.path ?? 'tools' };
}

export const quirkedUpstream = (quirks: ChatQuirks): UpstreamDialect => ({
  path: () => '/chat/completions',
  writeRequest(turn, work) {
    const written = writeChatRequest(turn, thoughtsField(quirks), work);
    const changed = { ...written, ...quirkChanges(written, quirks, turnWords(turn)) };
    return Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== undefined));
  },
  readWhole: (answer, turn) => readChatAnswer(answer, turn, quirks.reasoningField),
  openStream: (turn) => openChatStream(turn, quirks.reasoningField),
});
