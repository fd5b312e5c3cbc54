/** What the contract is compared with: the types of the OpenAI SDK, the document of Open Responses, and a request of Codex. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { compactionRequest, lightRequest, usualRequest } from '../../harness/codex-request.ts';
import { Comparison, type ObjectShape, type Schema, type Shape, schemaOfValue, shapeOfSchema } from './compare.ts';

type Components = Readonly<Record<string, unknown>>;

export interface Source {
  readonly name: string;
  readonly version: string;
  /** Sorted; each once. */
  readonly differences: readonly string[];
}

/** Types of the SDK by file and name, each with the component that describes the same. */
const sdkPairs: readonly (readonly [file: string, type: string, component: string])[] = [
  ['chat/completions/completions', 'ChatCompletionCreateParamsBase', 'ChatCompletionRequest'],
  ['chat/completions/completions', 'ChatCompletion', 'ChatCompletion'],
  ['chat/completions/completions', 'ChatCompletionChunk', 'ChatCompletionChunk'],
  ['responses/responses', 'ResponseCreateParamsBase', 'ResponseRequest'],
  ['responses/responses', 'Response', 'ModelResponse'],
  ['responses/responses', 'ResponseStreamEvent', 'ResponseStreamEvent'],
  ['responses/input-items', 'ResponseItemList', 'InputItemList'],
  ['responses/input-tokens', 'InputTokenCountParams', 'ResponseRequest'],
  ['responses/input-tokens', 'InputTokenCountResponse', 'InputTokens'],
  ['images', 'ImageGenerateParamsBase', 'ImageGenerationRequest'],
  ['images', 'ImageEditParamsBase', 'ImageEditForm'],
  ['images', 'ImagesResponse', 'ImageList'],
  ['images', 'ImageGenStreamEvent', 'ImageGenerationEvent'],
  ['images', 'ImageEditStreamEvent', 'ImageEditEvent'],
  ['models', 'Model', 'Model'],
];

/** `folder`: the package as it is installed. */
export function sdkSource(folder: string, contract: Components): Source {
  const fileOf = (name: string): string => join(folder, 'resources', `${name}.d.ts`);
  const files = [...new Set(sdkPairs.map(([file]) => fileOf(file)))];
  const program = ts.createProgram(files, { noEmit: true, skipLibCheck: true, types: [], strict: true });
  const checker = program.getTypeChecker();
  const comparison = new Comparison(contract);
  for (const [file, name, component] of sdkPairs) {
    const source = program.getSourceFile(fileOf(file));
    const module = source && checker.getSymbolAtLocation(source);
    const symbol = module && checker.getExportsOfModule(module).find((one) => one.name === name);
    if (!symbol) throw new Error(`The SDK in ${folder} has no ${name} in ${file}.`);
    comparison.compare(shapeOfType(checker.getDeclaredTypeOfSymbol(symbol), checker), component, name);
  }
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly version: string };
  return { name: 'openai (npm)', version, differences: [...comparison.found].sort() };
}

const isAbsent = ({ flags }: ts.Type): boolean => (flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined)) !== 0;
/** Neither methods nor what the SDK adds to an answer. */
const isOnWire = ({ flags, name }: ts.Symbol): boolean =>
  (flags & ts.SymbolFlags.Method) === 0 && !name.startsWith('_') && name !== 'output_text';

function shapeOfType(type: ts.Type, checker: ts.TypeChecker): Shape {
  const parts = (type.isUnion() ? type.types : [type]).filter((part) => !isAbsent(part));
  const arrays = parts.filter((part) => checker.isArrayType(part));
  return {
    id: type,
    words: parts.flatMap((part) => (part.isStringLiteral() ? [part.value] : [])),
    // `as`: an array is a reference to the type of its elements.
    elements: arrays.flatMap((part) => checker.getTypeArguments(part as ts.TypeReference).map((one) => shapeOfType(one, checker))),
    objects: parts
      .filter((part) => (part.flags & ts.TypeFlags.Object) !== 0 && !arrays.includes(part))
      .flatMap((part) => objectOf(part, checker)),
  };
}

function objectOf(part: ts.Type, checker: ts.TypeChecker): ObjectShape[] {
  const properties = part.getProperties().filter(isOnWire);
  if (properties.length === 0) return [];
  const written = part.aliasSymbol?.name ?? part.symbol?.name;
  const field = (name: string): Shape | undefined => {
    const symbol = properties.find((one) => one.name === name);
    return symbol && shapeOfType(checker.getTypeOfSymbol(symbol), checker);
  };
  return [{ name: written === undefined || written.startsWith('__') ? null : written, field, fields: properties.map(({ name }) => name) }];
}

/** A document of Open Responses; `version` is the day of its release. */
/** `text`: the document. */
export function openResponsesSource(text: string, contract: Components): Source {
  const document = JSON.parse(text) as {
    readonly info: { readonly version: string };
    readonly components: { readonly schemas: Components };
  };
  const { schemas } = document.components;
  const comparison = new Comparison(contract);
  const compare = (name: string, component: string): void =>
    comparison.compare(shapeOfSchema(schemas[name] as Schema, schemas), component, name);
  compare('CreateResponseBody', 'ResponseRequest');
  compare('ResponseResource', 'ModelResponse');
  for (const name of Object.keys(schemas).filter((one) => one.endsWith('StreamingEvent'))) compare(name, 'ResponseStreamEvent');
  return { name: 'Open Responses', version: document.info.version, differences: [...comparison.found].sort() };
}

/** The version of Codex whose request is kept in the tests. */
const CODEX = '0.169';

export function codexSource(contract: Components): Source {
  const comparison = new Comparison(contract);
  for (const request of [usualRequest, lightRequest, compactionRequest])
    comparison.compare(shapeOfSchema(schemaOfValue(request), {}), 'ResponseRequest', 'Codex');
  return { name: 'Codex', version: CODEX, differences: [...comparison.found].sort() };
}
