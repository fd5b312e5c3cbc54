/** What a responses request must keep that single fields cannot say (specification part 7: a result without its call stalls a tool loop). */
import { type Fields, isFields, isSet, type RuleIssue, rule } from './rule.ts';

const refused: Readonly<Record<string, string>> = {
  conversation: "'conversation' is not supported: chain with 'previous_response_id', or resend the history in 'input'.",
  prompt: "'prompt' (a stored prompt) is not supported: send its text in 'instructions' and 'input'.",
};

function* unsupported(body: Fields): Generator<RuleIssue> {
  for (const [field, message] of Object.entries(refused)) {
    if (isSet(body[field])) yield { path: [field], message, code: 'unsupported_parameter' };
  }
  if (body.background === true) {
    yield { path: ['background'], message: "'background: true' is not supported: use 'stream: true'.", code: 'unsupported_value' };
  }
}

/** Calls and the kind of output that answers them. */
const outputOf: Readonly<Record<string, string>> = {
  function_call: 'function_call_output',
  custom_tool_call: 'custom_tool_call_output',
};
const outputTypes = new Set(Object.values(outputOf));

/** A chained request may answer calls that are stored; the gateway checks those when it knows the chain. */
function* orphanOutputs(body: Fields): Generator<RuleIssue> {
  const input = body.input;
  if (!Array.isArray(input) || isSet(body.previous_response_id)) return;
  const called = new Set<unknown>();
  for (const [index, item] of input.entries()) {
    if (!isFields(item)) continue;
    const type = String(item.type);
    if (type === 'item_reference') return;
    if (Object.hasOwn(outputOf, type)) called.add(item.call_id);
    if (outputTypes.has(type) && typeof item.call_id === 'string' && !called.has(item.call_id)) {
      yield {
        path: ['input', index, 'call_id'],
        message: `input[${index}] answers the call '${item.call_id}', but no earlier item is a call with that call_id.`,
      };
    }
  }
}

function* triggerPlace(body: Fields): Generator<RuleIssue> {
  const input = body.input;
  if (!Array.isArray(input)) return;
  const at = input.findIndex((item) => isFields(item) && item.type === 'compaction_trigger');
  if (at >= 0 && at !== input.length - 1)
    yield { path: ['input', at], message: "A 'compaction_trigger' has to be the last item of the input." };
}

export const responseRules = [rule<Fields>(unsupported), rule<Fields>(orphanOutputs), rule<Fields>(triggerPlace)];
