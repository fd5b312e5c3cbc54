/** A conversation: each call's body has the earlier messages before the new one. The form edits only the new message. */
import { type Fields, isFields, type Tab, toList } from './frames.ts';
import { readAnswer } from './reading.ts';
import type { Run } from './run.ts';

export interface Turn {
  /** The form's body, with one new message. */
  readonly body: Fields;
  readonly run: Run;
}

/** Adds the earlier turns to the body. A body that continues a stored response already has them. */
export function composeBody(tab: Tab, body: Fields, turns: readonly Turn[]): Fields {
  const past = turns.flatMap((turn) => listMessages(tab, turn));
  if (past.length === 0 || body.previous_response_id != null || body.conversation != null) return body;
  if (tab === 'responses') return { ...body, input: [...past, ...toItems(body.input)] };
  const messages = toList(body.messages);
  return { ...body, messages: [...messages.filter(isSystem), ...past, ...messages.filter((message) => !isSystem(message))] };
}

/** Returns the messages that a turn adds to the next body. A failed call, or a response without text, adds none. */
function listMessages(tab: Tab, { body, run }: Turn): readonly Fields[] {
  if (tab === 'images' || run.state !== 'done') return [];
  const { text } = readAnswer(run);
  if (text === '') return [];
  const own = tab === 'chat' ? toList(body.messages).filter((message) => !isSystem(message)) : toItems(body.input);
  return [...own, { role: 'assistant', content: text }];
}

const isSystem = ({ role }: Fields): boolean => role === 'system' || role === 'developer';
const toItems = (input: unknown): readonly Fields[] => (typeof input === 'string' ? [{ role: 'user', content: input }] : toList(input));

/** The text of the body's new message. */
export function getPrompt(tab: Tab, body: Fields): string {
  if (tab === 'images') return typeof body.prompt === 'string' ? body.prompt : '';
  const content = typeof body.input === 'string' && tab === 'responses' ? body.input : findLast(tab, body)?.content;
  if (typeof content === 'string') return content;
  return toList(content)
    .flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
    .join('\n\n');
}

const findLast = (tab: Tab, body: Fields): Fields | undefined => toList(tab === 'chat' ? body.messages : body.input).at(-1);

/** Replaces the new message. A message with several parts stays, because it's edited as JSON. */
export function setPrompt(tab: Tab, body: Fields, text: string): Fields {
  if (tab === 'responses') return typeof body.input === 'string' ? { ...body, input: text } : body;
  const last = findLast(tab, body);
  if (tab === 'images' || last?.role !== 'user' || typeof last.content !== 'string') return body;
  return { ...body, messages: [...toList(body.messages).slice(0, -1), { ...last, content: text }] };
}

/** Whether the field for the new message exists and is empty. */
export function hasEmptyPrompt(tab: Tab, body: Fields): boolean {
  if (tab === 'responses') return body.input === '';
  return tab === 'chat' && isFields(findLast(tab, body)) && findLast(tab, body)?.content === '';
}
