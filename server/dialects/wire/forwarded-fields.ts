/** Which top-level fields of a caller's body are forwarded: those of its operation, those that an operator allows, and to OpenAI itself newer ones. */
import { ChatCompletionRequest } from '../../../contract/chat.ts';
import { ImageEditRequest, ImageGenerationRequest } from '../../../contract/images.ts';
import { ResponseRequest } from '../../../contract/responses.ts';
import { type Fields, isSet } from '../../../contract/rule.ts';
import { fitForHeader } from '../turn/dropped-fields.ts';
import { unsupported } from '../turn/unsupported.ts';
import { mayChoose } from './choosing-fields.ts';
import { type JsonBody, jsonBody, withFields } from './json-body.ts';

export interface FieldRules {
  /** `*`: all. */
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  /** Whether the upstream judges the fields that no operation knows: it gets those that choose nothing. */
  readonly isOpen?: boolean;
}

const known = {
  createChatCompletion: new Set(Object.keys(ChatCompletionRequest.shape)),
  createResponse: new Set(Object.keys(ResponseRequest.shape)),
  generateImages: new Set(Object.keys(ImageGenerationRequest.shape)),
  editImages: new Set(Object.keys(ImageEditRequest.shape)),
} as const;

interface Kept<Body> {
  readonly body: Body;
  /** Fields that were set and are left out, fit for a header. */
  readonly ignored: readonly string[];
}

/** Throws `unsupported_parameter` for a field that the operator denies. */
export function checkDenied(body: Fields, { deny }: FieldRules): void {
  const denied = deny.find((name) => Object.hasOwn(body, name) && isSet(body[name]));
  if (denied !== undefined) throw unsupported(denied, `'${denied}' is not taken for this model.`);
}

/** The most fields that are cut out of the bytes; with more, the body is serialised again. */
const MOST_CUTS = 4;

export function withKnownFields(body: JsonBody, operation: keyof typeof known, rules: FieldRules): Kept<JsonBody> {
  const gone = unknownIn(body.value, operation, rules);
  if (gone.length === 0) return { body, ignored: [] };
  const ignored = namesOf(body.value, gone);
  if (gone.length > MOST_CUTS) return { body: jsonBody(without(body.value, gone)), ignored };
  const { bytes } = withFields(body, Object.fromEntries(gone.map((name) => [name, undefined])));
  return { body: { kind: 'json', value: without(body.value, gone), bytes }, ignored };
}

/** The same for the text fields of a form. */
export function withKnownTexts(value: Fields, operation: keyof typeof known, rules: FieldRules): Kept<Fields> {
  const gone = unknownIn(value, operation, rules);
  return { body: gone.length === 0 ? value : without(value, gone), ignored: namesOf(value, gone) };
}

function unknownIn(value: Fields, operation: keyof typeof known, { allow, isOpen = false }: FieldRules): readonly string[] {
  if (allow.includes('*')) return [];
  return Object.keys(value).filter((name) => !known[operation].has(name) && !allow.includes(name) && !(isOpen && !mayChoose(name)));
}

const namesOf = (value: Fields, gone: readonly string[]): readonly string[] => fitForHeader(gone.filter((name) => isSet(value[name])));

function without(value: Fields, gone: readonly string[]): Fields {
  const names = new Set(gone);
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.has(name)));
}
