/** Rules that involve several fields of a responses request. For example, a call without its result would stall a tool loop. */
import { createRule, type Fields, isFields, isSet, type RuleIssue } from '../shared/rules.ts';

const rejectedFields: Readonly<Record<string, string>> = {
  conversation: "'conversation' is not supported. Use 'previous_response_id', or resend the conversation in 'input'.",
  prompt: "'prompt' (a stored prompt) is not supported. Send its text in 'instructions' and 'input'.",
};

function* checkUnsupported(body: Fields): Generator<RuleIssue> {
  for (const [field, message] of Object.entries(rejectedFields)) {
    if (isSet(body[field])) yield { path: [field], message, code: 'unsupported_parameter' };
  }
  if (body.background === true && body.store === false) {
    yield { path: ['background'], message: "'background: true' needs 'store: true'.", code: 'unsupported_value' };
  }
}

const callTypes = new Set<unknown>(['function_call', 'custom_tool_call']);
const outputTypes = new Set<unknown>(['function_call_output', 'custom_tool_call_output']);

/** Shortens the caller's text to one ASCII line, for an error message. */
const sanitizeText = (text: string): string => text.slice(0, 100).replace(/[^\x20-\x7e]/g, '?');

/**
 * Finds results without an earlier call, and calls without a result.
 * `firstIndex` is the index of the first item of this request, after the stored items.
 */
export function* findUnpairedItems(items: readonly unknown[], firstIndex = 0): Generator<RuleIssue> {
  const callIds = new Set<string>();
  const openCallIds = new Set<string>();
  for (const [index, item] of items.entries()) {
    // The schema rejects a missing `call_id`.
    if (!isFields(item) || typeof item.call_id !== 'string') continue;
    const id = item.call_id;
    // A tool search by the caller can have either type of output, or none.
    if (item.type === 'tool_search_call') callIds.add(id);
    else if (callTypes.has(item.type)) {
      callIds.add(id);
      openCallIds.add(id);
    } else if (outputTypes.has(item.type)) {
      // Not reported for stored items, because the caller can't fix them.
      if (!callIds.has(id) && index >= firstIndex) yield createOrphanIssue(id, index - firstIndex);
      openCallIds.delete(id);
    }
  }
  for (const id of openCallIds) {
    yield { path: ['input'], message: `The call '${sanitizeText(id)}' has no output. Add an output item with the same 'call_id'.` };
  }
}

const createOrphanIssue = (id: string, index: number): RuleIssue => ({
  path: ['input', index, 'call_id'],
  message: `input[${index}] responds to the call '${sanitizeText(id)}', but no earlier call has that 'call_id'.`,
});

/** Whether the request references stored items. If so, the gateway checks calls and results after loading them. */
export const hasStoredContext = ({ previous_response_id, input }: Fields): boolean =>
  isSet(previous_response_id) || (Array.isArray(input) && input.some((item) => isFields(item) && item.type === 'item_reference'));

function* checkUnpaired(body: Fields): Generator<RuleIssue> {
  if (Array.isArray(body.input) && !hasStoredContext(body)) yield* findUnpairedItems(body.input);
}

function* checkTriggerPosition(body: Fields): Generator<RuleIssue> {
  const input = body.input;
  if (!Array.isArray(input)) return;
  const triggerIndex = input.findIndex((item) => isFields(item) && item.type === 'compaction_trigger');
  if (triggerIndex >= 0 && triggerIndex !== input.length - 1)
    yield { path: ['input', triggerIndex], message: "'compaction_trigger' must be the last item of the input." };
}

export const responseRules = [
  createRule<Fields>(checkUnsupported),
  createRule<Fields>(checkUnpaired),
  createRule<Fields>(checkTriggerPosition),
];
