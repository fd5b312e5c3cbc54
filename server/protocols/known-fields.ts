/** Removes fields that an operation doesn't know, unless the operator allows them, and rejects fields that the operator denies. */
import { ChatCompletionRequest } from '../../contract/chat.ts';
import { ImageEditRequest, ImageGenerationRequest } from '../../contract/images.ts';
import { ResponseRequest } from '../../contract/responses.ts';
import { type Fields, isSet } from '../primitives/fields.ts';
import { createUnsupportedError, toHeaderNames } from './canonical/dropped-fields.ts';
import { createJsonBody, type JsonBody, withFields } from './wire/json-body.ts';

/** Words that mark a routing field in snake case. A list of full names would never be complete, but their words are few. */
const routingWords = new Set(
  [
    'model models engine deployment provider providers provider providers upstream upstreams route routes router routing fallback fallbacks',
    'api base url uri endpoint host key keys extra body header headers region location zone project organization org account',
    'tier priority speed fast latency flex batch background transform transforms cache',
    'tool tools plugin plugins function functions mcp server servers search web browse browsing grounding connector connectors',
    'data source sources retrieval file files agent agents skill skills container containers code exec',
    'price prices pricing budget spend cost costs billing credit credits charge charges',
    'max min limit limits token tokens length predict best completions candidate candidates sample samples count num number',
    'image images audio video frame frames resolution quality size scale upscale variation variations duration',
  ].flatMap((words) => words.split(' ')),
);

/** Also true for names with other characters, such as `MAX_TOKENS`, because some providers read them as API fields. */
const isRoutingField = (name: string): boolean =>
  !/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/.test(name) || name.split('_').some((word) => routingWords.has(word));

interface FieldRules {
  /** `*` allows all fields. */
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  /** If true, the upstream validates unknown fields, so it gets all of them except routing fields. */
  readonly isOpen?: boolean;
}

const knownFieldNames = {
  createChatCompletion: new Set(Object.keys(ChatCompletionRequest.shape)),
  createResponse: new Set(Object.keys(ResponseRequest.shape)),
  generateImages: new Set(Object.keys(ImageGenerationRequest.shape)),
  editImages: new Set(Object.keys(ImageEditRequest.shape)),
} as const;

interface FilteredBody<Body> {
  readonly body: Body;
  /** Fields that were set but are omitted, safe for a header. */
  readonly dropped: readonly string[];
}

/** Throws `unsupported_parameter` for a field that the operator denies. */
export function rejectDeniedFields(body: Fields, { deny }: FieldRules): void {
  const deniedField = deny.find((name) => Object.hasOwn(body, name) && isSet(body[name]));
  if (deniedField !== undefined) throw createUnsupportedError(deniedField, `'${deniedField}' is not allowed for this model.`);
}

/** The maximum number of fields to cut out of the bytes. With more, the body is serialized again. */
const MAX_CUTS = 4;

export function withKnownFields(body: JsonBody, operation: keyof typeof knownFieldNames, rules: FieldRules): FilteredBody<JsonBody> {
  const unknownNames = findUnknownFields(body.value, operation, rules);
  if (unknownNames.length === 0) return { body, dropped: [] };
  const dropped = listSetFields(body.value, unknownNames);
  if (unknownNames.length > MAX_CUTS) return { body: createJsonBody(withoutFields(body.value, unknownNames)), dropped };
  const { bytes } = withFields(body, Object.fromEntries(unknownNames.map((name) => [name, undefined])));
  return { body: { kind: 'json', value: withoutFields(body.value, unknownNames), bytes }, dropped };
}

/** Like `withKnownFields`, but for the text fields of a form. */
export function withKnownTexts(value: Fields, operation: keyof typeof knownFieldNames, rules: FieldRules): FilteredBody<Fields> {
  const unknownNames = findUnknownFields(value, operation, rules);
  return { body: unknownNames.length === 0 ? value : withoutFields(value, unknownNames), dropped: listSetFields(value, unknownNames) };
}

function findUnknownFields(
  value: Fields,
  operation: keyof typeof knownFieldNames,
  { allow, isOpen: canForwardUnknown = false }: FieldRules,
): readonly string[] {
  if (allow.includes('*')) return [];
  return Object.keys(value).filter(
    (name) => !knownFieldNames[operation].has(name) && !allow.includes(name) && !(canForwardUnknown && !isRoutingField(name)),
  );
}

const listSetFields = (value: Fields, unknownNames: readonly string[]): readonly string[] =>
  toHeaderNames(unknownNames.filter((name) => isSet(value[name])));

function withoutFields(value: Fields, unknownNames: readonly string[]): Fields {
  const names = new Set(unknownNames);
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.has(name)));
}
