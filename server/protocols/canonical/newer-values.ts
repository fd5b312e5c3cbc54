/** Finds and rejects values that are newer than the contract. Only an upstream with the caller's API gets them. */
import { InputItem } from '../../../contract/responses/items.ts';
import { Summary, TextFormat } from '../../../contract/responses/options.ts';
import { Truncation } from '../../../contract/responses.ts';
import { ImageDetail, ReasoningEffort, SoundFormat, Verbosity } from '../../../contract/shared/bounds.ts';
import { getKnownWords } from '../../../contract/shared/open.ts';
import { type CallCode, GatewayError } from '../../primitives/errors.ts';
import { type Fields, isFields } from '../../primitives/fields.ts';

const knownItemTypes: ReadonlySet<unknown> = InputItem._zod.propValues.type ?? new Set();

const isUnknownItem = (item: unknown): boolean =>
  isFields(item) && typeof item.type === 'string' && item.type !== '' && !knownItemTypes.has(item.type);

export const hasUnknownItems = ({ input }: Fields): boolean => Array.isArray(input) && input.some(isUnknownItem);

interface KnownValues {
  /** `[]` stands for each entry of a list. */
  readonly path: readonly string[];
  readonly known: readonly unknown[];
}

const getTypes = (union: { _zod: { readonly propValues: Readonly<Record<string, ReadonlySet<unknown>>> } }): readonly unknown[] =>
  [...(union._zod.propValues.type ?? [])].filter((type) => typeof type === 'string');

const toKnownValues = ([path, known]: readonly [path: string, known: readonly unknown[]]): KnownValues => ({
  path: path.split('.'),
  known,
});

const efforts = getKnownWords(ReasoningEffort);

const imageDetails = getKnownWords(ImageDetail);

const soundFormats = getKnownWords(SoundFormat);

const verbosities = getKnownWords(Verbosity);

const formats = getTypes(TextFormat);

const knownValuesByOperation = {
  createResponse: (
    [
      ['input.[].type', getTypes(InputItem)],
      ['input.[].content.[].detail', imageDetails],
      ['input.[].content.[].input_audio.format', soundFormats],
      ['input.[].output.[].detail', imageDetails],
      ['text.format.type', formats],
      ['text.verbosity', verbosities],
      ['reasoning.effort', efforts],
      ['reasoning.summary', getKnownWords(Summary)],
      ['reasoning.generate_summary', getKnownWords(Summary)],
      ['truncation', getKnownWords(Truncation)],
    ] as const
  ).map(toKnownValues),
  createChatCompletion: (
    [
      ['messages.[].content.[].image_url.detail', imageDetails],
      ['messages.[].content.[].input_audio.format', soundFormats],
      ['response_format.type', formats],
      ['reasoning_effort', efforts],
      ['reasoning.effort', efforts],
      ['verbosity', verbosities],
    ] as const
  ).map(toKnownValues),
} as const;

export type TextOperation = keyof typeof knownValuesByOperation;

/** The path of the first unknown string under this value. */
function findUnknownValuePath(value: unknown, { path, known }: KnownValues, depth = 0, location = ''): string | null {
  const step = path[depth];
  if (step === undefined) return typeof value === 'string' && !known.includes(value) ? location : null;
  if (step !== '[]')
    return isFields(value)
      ? findUnknownValuePath(value[step], { path, known }, depth + 1, location === '' ? step : `${location}.${step}`)
      : null;
  if (!Array.isArray(value)) return null;
  for (const [index, entry] of value.entries()) {
    const unknownPath = findUnknownValuePath(entry, { path, known }, depth + 1, `${location}[${index}]`);
    if (unknownPath !== null) return unknownPath;
  }
  return null;
}

/** Throws 400 for a value that is newer than the contract. */
export function rejectNewerValues(body: Fields, operation: TextOperation): void {
  for (const knownValues of knownValuesByOperation[operation]) {
    const param = findUnknownValuePath(body, knownValues);
    if (param === null) continue;
    const choices = knownValues.known.map((word) => `'${String(word)}'`).join(', ');
    const message = `Invalid value for '${param}': expected one of ${choices}. Newer values are forwarded only to upstreams with the same API as your request.`;
    throw new GatewayError<CallCode>('invalid_value', { param, message });
  }
}
