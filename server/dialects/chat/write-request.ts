/** Writes a turn as the body of a chat completion request. */
import { sharedHints } from '../turn/caller-field-names.ts';
import { Work } from '../turn/schema.ts';
import type { Format, Settings, Turn } from '../turn/turn.ts';
import { writeExtras } from '../turn/unsent-fields.ts';
import { chatToolNames, type Wire, writeTools } from './custom-input.ts';
import { writeMessages } from './write-messages.ts';

function writeFormat(format: Format): Wire | null {
  switch (format.kind) {
    case 'text':
      return null;
    case 'json':
      return { type: 'json_object' };
    case 'schema': {
      const { name, description, schema, strict } = format;
      // `strict` is always sent, as for tools: strict rules must not apply to a schema that was not written for them.
      const inner = { name, ...(description !== null && { description }), schema, strict: strict === true };
      return { type: 'json_schema', json_schema: inner };
    }
  }
}

function writeSettings(settings: Settings): Wire {
  const { topLogprobs } = settings;
  return {
    max_completion_tokens: settings.maxOutputTokens,
    temperature: settings.temperature,
    top_p: settings.topP,
    stop: settings.stop.length > 0 ? settings.stop : null,
    n: settings.n,
    seed: settings.seed,
    presence_penalty: settings.presencePenalty,
    frequency_penalty: settings.frequencyPenalty,
    logit_bias: settings.logitBias,
    logprobs: topLogprobs === null ? null : true,
    top_logprobs: topLogprobs === 0 ? null : topLogprobs,
  };
}

/** The caller’s `store` is not sent: upstreams store nothing for us. */
const writeHints = (given: Turn['hints']): Wire => Object.fromEntries(sharedHints.map((name) => [name, given[name]]));

const given = (fields: Wire): Wire =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));

/** `thoughtsIn`: the field in which the vendor wants reasoning back; null when it is not sent. */
export function writeChatRequest(turn: Turn, thoughtsIn: string | null = null, work = new Work()): Wire {
  const names = chatToolNames(turn.tools);
  return given({
    ...writeExtras(turn, 'chat'),
    model: turn.model,
    messages: writeMessages(turn, names, thoughtsIn),
    ...(turn.stream && { stream: true, stream_options: { include_usage: true } }),
    ...writeTools(turn, names, work),
    response_format: writeFormat(turn.format),
    reasoning_effort: turn.effort,
    verbosity: turn.verbosity,
    ...writeSettings(turn.settings),
    ...writeHints(turn.hints),
  });
}
