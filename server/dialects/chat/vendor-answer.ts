/** Brings a vendor's whole chat answer into the shape of the contract: fills in what the vendor left out, and replaces its own spellings. */
import { hash } from 'node:crypto';
import { type Fields, isFields } from '../../../contract/rule.ts';
import { type CallCode, GatewayError } from '../../errors.ts';
import { chatUsageNames, toldUsage } from '../told-usage.ts';
import { readFinishReason } from './finish-reason.ts';
import { textIn, thoughtIn } from './thinking-parts.ts';
import type { FinishReason } from './wire.ts';

/** The fields that an object must have, as they have to be; the object itself when they are so already. */
export function withValues(object: Fields, wanted: Fields): Fields {
  for (const name in wanted) if (object[name] !== wanted[name]) return { ...object, ...wanted };
  return object;
}

export const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Seconds since 1970, as the vendor said, or now. */
export const createdOf = ({ created }: Fields): number =>
  typeof created === 'number' && Number.isInteger(created) && created >= 0 ? created : Math.floor(Date.now() / 1000);

/** An id for what the vendor left without one: the same for the same parts. */
export const madeId = (prefix: string, ...parts: readonly unknown[]): string =>
  `${prefix}${hash('sha256', JSON.stringify(parts), 'hex').slice(0, 24)}`;

export function endOf(given: unknown): FinishReason | null {
  const reason = readFinishReason(given);
  if (reason !== 'failed') return reason;
  throw new GatewayError<CallCode>('upstream_error', { message: 'The upstream gave its answer up.' });
}

/** Content as a list becomes text, and its thoughts become `reasoning_content`. */
export function withTextContent(message: Fields): Fields {
  const { content, reasoning_content: before } = message;
  if (!Array.isArray(content)) return message;
  const thoughts = (typeof before === 'string' ? before : '') + content.map(thoughtIn).join('');
  const said = content.map(textIn).join('');
  return { ...message, content: said === '' && thoughts !== '' ? null : said, ...(thoughts !== '' && { reasoning_content: thoughts }) };
}

/** The arguments of a call as JSON text: some vendors send the object. */
export const withTextArguments = (body: Fields): Fields =>
  isFields(body.arguments) ? { ...body, arguments: JSON.stringify(body.arguments) } : body;

function callOf(call: unknown, at: number, answerId: unknown): unknown {
  if (!isFields(call)) return call;
  const id = isText(call.id) ? call.id : madeId('call_', answerId, at);
  if (isFields(call.custom)) return withValues(call, { id, type: 'custom' });
  const given = isFields(call.function) ? withTextArguments(call.function) : {};
  const body = typeof given.arguments === 'string' ? given : { ...given, arguments: '{}' };
  return withValues(call, { id, type: 'function', function: body });
}

/** A list in which each entry is what `each` makes of it; the list itself when nothing changed. */
export function mapped(list: readonly unknown[], each: (entry: unknown, at: number) => unknown): readonly unknown[] {
  const made = list.map(each);
  return made.every((entry, at) => entry === list[at]) ? list : made;
}

function messageOf(given: Fields, answerId: unknown): Fields {
  const hasCalls = Array.isArray(given.tool_calls) && given.tool_calls.length > 0;
  // A choice that a content filter emptied has no message at all.
  const message = given.content === undefined ? { ...given, content: hasCalls ? null : '' } : given;
  const told = withValues(withTextContent(message), { role: 'assistant' });
  if (!Array.isArray(told.tool_calls)) return told;
  return withValues(told, { tool_calls: mapped(told.tool_calls, (call, at) => callOf(call, at, answerId)) });
}

function choiceOf(choice: unknown, at: number, answerId: unknown): unknown {
  if (!isFields(choice)) return choice;
  const message = messageOf(isFields(choice.message) ? choice.message : {}, answerId);
  const calls = Array.isArray(message.tool_calls) && message.tool_calls.length > 0;
  const finish_reason = endOf(choice.finish_reason) ?? (calls ? 'tool_calls' : 'stop');
  return withValues(choice, { index: typeof choice.index === 'number' ? choice.index : at, message, finish_reason });
}

/** The answer itself when it needs no change. Throws `upstream_error` for an answer that the vendor gave up. */
export function completeAnswer(answer: Fields): Fields {
  const created = createdOf(answer);
  const id = isText(answer.id) ? answer.id : madeId('chatcmpl-', created, answer);
  const told = withValues(answer, { id, object: 'chat.completion', created });
  if (!Array.isArray(told.choices)) return told;
  const whole = withValues(told, { choices: mapped(told.choices, (choice, at) => choiceOf(choice, at, id)) });
  return isFields(whole.usage) ? withValues(whole, { usage: toldUsage(whole.usage, chatUsageNames) }) : whole;
}
