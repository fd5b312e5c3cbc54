/** Recognizes and writes the items of a compaction: the trigger that requests one, and the item that replaces the conversation. */

import { type Fields, isFields } from '../../primitives/fields.ts';

const TRIGGER = 'compaction_trigger';

export const isCompactionTrigger = (item: unknown): boolean => isFields(item) && item.type === TRIGGER;

export const createCompactionTrigger = (): Fields => ({ type: TRIGGER });

/** Whether a responses request asks for its conversation to be compacted. The contract allows the trigger only at the end. */
export const isCompactionRequested = ({ input }: Fields): boolean => Array.isArray(input) && isCompactionTrigger(input.at(-1));

export const isCompactionItem = (item: unknown): item is Fields => isFields(item) && item.type === 'compaction';

/** The path of an item's encrypted conversation, for errors. */
export const getCompactionPath = (index: number): string => `input[${index}].encrypted_content`;

const INTRODUCTION =
  'The conversation before this message was replaced by the following summary. Continue from it as if you remembered the conversation itself.';

/** The message that replaces a compacted conversation for a model. */
export const writeSummaryMessage = (summary: string): Fields => ({
  type: 'message',
  role: 'developer',
  content: [{ type: 'input_text', text: `${INTRODUCTION}\n\n${summary}` }],
});
