/** Rules for a responses request that involve several fields (a result without its call would stall a tool loop). */
import { type Fields, isFields, isSet, type RuleIssue, rule } from '../shared/rules.ts';

const rejected: Readonly<Record<string, string>> = {
  conversation: "'conversation' is not supported. Use 'previous_response_id', or resend the conversation in 'input'.",
  prompt: "'prompt' (a stored prompt) is not supported. Send its text in 'instructions' and 'input'.",
};

function* unsupported(body: Fields): Generator<RuleIssue> {
  for (const [field, message] of Object.entries(rejected)) {
    if (isSet(body[field])) yield { path: [field], message, code: 'unsupported_parameter' };
  }
  if (body.background === true) {
    yield { path: ['background'], message: "'background: true' is not supported. Use 'stream: true'.", code: 'unsupported_value' };
  }
}

const callTypes = new Set<unknown>(['function_call', 'custom_tool_call']);
const outputTypes = new Set<unknown>(['function_call_output', 'custom_tool_call_output']);

/** Text from the caller for an error message: shortened, on one line. */
const shown = (text: string): string => text.slice(0, 100).replace(/[^\x20-\x7e]/g, '?');

/**
 * Every result has its call before it, and every call has its result. `first` is the index of the first item of this request,
 * after the stored ones.
 */
export function* findUnpaired(items: readonly unknown[], first = 0): Generator<RuleIssue> {
  const called = new Set<string>();
  const open = new Set<string>();
  for (const [index, item] of items.entries()) {
    // A missing id is rejected by the schema.
    if (!isFields(item) || typeof item.call_id !== 'string') continue;
    const id = item.call_id;
    // A search that the caller runs may be answered by either kind of output, or stay without one.
    if (item.type === 'tool_search_call') called.add(id);
    else if (callTypes.has(item.type)) {
      called.add(id);
      open.add(id);
    } else if (outputTypes.has(item.type)) {
      // The caller can't fix a stored item.
      if (!called.has(id) && index >= first) yield orphan(id, index - first);
      open.delete(id);
    }
  }
  for (const id of open) {
    yield { path: ['input'], message: `The call '${shown(id)}' has no output. Add an output item with the same 'call_id'.` };
  }
}

const orphan = (id: string, index: number): RuleIssue => ({
  path: ['input', index, 'call_id'],
  message: `input[${index}] responds to the call '${shown(id)}', but no earlier call has that 'call_id'.`,
});

/** Whether the request refers to stored items: then the gateway checks calls and results after it has loaded them. */
export const reachesBack = ({ previous_response_id, input }: Fields): boolean =>
  isSet(previous_response_id) || (Array.isArray(input) && input.some((item) => isFields(item) && item.type === 'item_reference'));

function* unpaired(body: Fields): Generator<RuleIssue> {
  if (Array.isArray(body.input) && !reachesBack(body)) yield* findUnpaired(body.input);
}

function* triggerPlace(body: Fields): Generator<RuleIssue> {
  const input = body.input;
  if (!Array.isArray(input)) return;
  const at = input.findIndex((item) => isFields(item) && item.type === 'compaction_trigger');
  if (at >= 0 && at !== input.length - 1)
    yield { path: ['input', at], message: "'compaction_trigger' must be the last item of the input." };
}

export const responseRules = [rule<Fields>(unsupported), rule<Fields>(unpaired), rule<Fields>(triggerPlace)];
