/** A turn as the body of a responses call that asks the upstream to keep nothing. */
import { sharedHints } from '../turn/hints.ts';
import type { Format, Settings, Turn } from '../turn/turn.ts';
import { unsupported, writeExtras } from '../turn/unsupported.ts';
import { Work } from '../turn/work-budget.ts';
import { type Wire, writeInput } from './write-input.ts';
import { writeTools } from './write-tools.ts';

/** The least that a responses upstream takes; a caller who wants less gets no error, only the same short answer. */
const LEAST_OUTPUT = 16;

/** Settings of chat that have no place in a responses call, and whether one asks for anything. `seed` is best effort anyway and left out. */
const chatOnly: Readonly<Record<string, (settings: Settings) => boolean>> = {
  stop: ({ stop }) => stop.length > 0,
  n: ({ n }) => (n ?? 1) > 1,
  presence_penalty: ({ presencePenalty }) => (presencePenalty ?? 0) !== 0,
  frequency_penalty: ({ frequencyPenalty }) => (frequencyPenalty ?? 0) !== 0,
  logit_bias: ({ logitBias }) => Object.keys(logitBias ?? {}).length > 0,
};

function checkSettings(settings: Settings): void {
  for (const [field, asks] of Object.entries(chatOnly)) {
    if (asks(settings))
      throw unsupported(field, `'${field}' cannot be honoured: this model is served over responses, which has nothing like it.`);
  }
}

function writeFormat(format: Format): Wire | null {
  switch (format.kind) {
    case 'text':
      return null;
    case 'json':
      return { type: 'json_object' };
    case 'schema': {
      const { name, description, schema, strict } = format;
      return { type: 'json_schema', name, ...(description !== null && { description }), schema, ...(strict !== null && { strict }) };
    }
  }
}

const given = (fields: Wire): Wire =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));

/** An option object; null where nothing is in it. */
function options(fields: Wire): Wire | null {
  const set = given(fields);
  return Object.keys(set).length > 0 ? set : null;
}

function writeSettings({ maxOutputTokens, temperature, topP, topLogprobs }: Settings): Wire {
  const include = topLogprobs === null ? [] : ['message.output_text.logprobs'];
  return {
    max_output_tokens: maxOutputTokens === null ? null : Math.max(LEAST_OUTPUT, maxOutputTokens),
    temperature,
    top_p: topP,
    top_logprobs: topLogprobs,
    // The next turn needs the encrypted reasoning of this answer.
    include: ['reasoning.encrypted_content', ...include],
  };
}

export function writeResponseRequest(turn: Turn, work = new Work()): Wire {
  checkSettings(turn.settings);
  return given({
    ...writeExtras(turn, 'responses'),
    model: turn.model,
    instructions: turn.instructions,
    // System messages stay in place: their order matters.
    input: writeInput(turn.items),
    store: false,
    stream: turn.stream ? true : null,
    ...writeTools(turn, work),
    text: options({ format: writeFormat(turn.format), verbosity: turn.verbosity }),
    reasoning: options({ effort: turn.effort, summary: turn.reasoningSummary }),
    ...writeSettings(turn.settings),
    ...Object.fromEntries(sharedHints.map((name) => [name, turn.hints[name]])),
  });
}
