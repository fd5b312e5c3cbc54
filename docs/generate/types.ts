/** Writes docs/generated/openapi-types.gen.ts with openapi-typescript. test/contract/drift.test-d.ts checks the types against the contract. */
import openapiTypescript, { astToString } from 'openapi-typescript';
import { openapiOutput } from './openapi.ts';
import { type Output, publish } from './output.ts';

const banner = '/** Types of docs/generated/openapi.json, made by docs/generate/types.ts. Do not edit: run `npm run generate`. */\n';

export async function typesOutput(): Promise<Output> {
  const syntax = await openapiTypescript(openapiOutput().text, { silent: true });
  return { path: '../generated/openapi-types.gen.ts', text: banner + astToString(syntax) };
}

if (import.meta.main) publish(await typesOutput());
