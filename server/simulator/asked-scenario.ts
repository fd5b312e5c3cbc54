/** Which scenario a request asks for: by the header `x-modelgate-scenario`, or by a phrase at the beginning of its prompt. */
import { type CallCode, GatewayError } from '../errors.ts';
import type { UpstreamRequest } from '../upstreams/upstream.ts';
import { joinText } from './plan/content.ts';
import { type FoundScenario, findScenario, isFailing, knownScenarios } from './scenarios.ts';
import { type JsonRecord, toRecords, toText } from './values.ts';

type Asking = Pick<UpstreamRequest, 'operation' | 'scenario'> & { readonly body: { readonly value: JsonRecord } };

export interface AskedScenario extends FoundScenario {
  /** The field with the phrase, for an error; null for the header. */
  readonly param: string | null;
}

const mark = /^\s*simulate:\s*/i;
/** A phrase is shorter than this. */
const PHRASE_CHARACTERS = 200;

/** Null when there is none; throws `invalid_value` when the name is unknown or not for this operation. The header wins. */
export function readAskedScenario(asking: Asking): AskedScenario | null {
  const asked = asking.scenario === undefined ? findPhrase(asking) : findHeader(asking.scenario);
  if (asked?.row.isOfText && paramOf(asking) === 'prompt')
    throw refuse(`The built-in simulator has no scenario '${asked.row.form}' for images.`, asked.param);
  return asked;
}

function findHeader(text: string): AskedScenario {
  const found = findScenario(text.trim());
  if (found?.rest !== '')
    throw refuse(`The built-in simulator has no such scenario. The header x-modelgate-scenario accepts: ${knownScenarios}.`, null);
  return { ...found, param: null };
}

function findPhrase(asking: Asking): AskedScenario | null {
  const prompt = promptOf(asking);
  const begun = mark.exec(prompt);
  if (!begun) return null;
  const text = prompt.slice(begun[0].length);
  const found = findScenario(text.slice(0, PHRASE_CHARACTERS));
  const param = paramOf(asking);
  if (!found) throw refuse(`The built-in simulator has no such scenario. After 'simulate:' write one of: ${knownScenarios}.`, param);
  return { ...found, rest: found.rest + text.slice(PHRASE_CHARACTERS), param };
}

/** Whether the request asks for a failure, or for an unknown scenario. */
export function isAskedToFail(asking: Asking): boolean {
  try {
    const asked = readAskedScenario(asking);
    return asked !== null && isFailing(asked.scenario);
  } catch {
    return true;
  }
}

function promptOf({ operation, body: { value } }: Asking): string {
  if (operation === 'createChatCompletion') return joinText(lastOfUser(toRecords(value.messages)));
  if (operation !== 'createResponse') return toText(value.prompt);
  if (typeof value.input === 'string') return value.input;
  return joinText(lastOfUser(toRecords(value.input).filter(({ type }) => (type ?? 'message') === 'message')));
}

const lastOfUser = (messages: readonly JsonRecord[]): unknown => messages.findLast(({ role }) => role === 'user')?.content;

const params = { createChatCompletion: 'messages', createResponse: 'input', generateImages: 'prompt', editImages: 'prompt' } as const;
const paramOf = ({ operation }: Asking): string => params[operation];

const refuse = (message: string, param: string | null): GatewayError =>
  new GatewayError<CallCode>('invalid_value', { message, ...(param !== null && { param }) });
