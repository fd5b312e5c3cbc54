/** Writes docs/generated/openapi-types.gen.ts: what openapi-typescript reads out of the document, held equal to the contract by test/contract/drift.test-d.ts. */
import openapiTypescript, { astToString } from 'openapi-typescript';
import { openapiOutput } from './openapi.ts';
import { type Output, publish } from './output.ts';

const banner = '/** Types of docs/generated/openapi.json, made by docs/generate/types.ts. Do not edit: run `npm run generate`. */\n';

/** The file as it is checked in. */
export async function typesOutput(): Promise<Output> {
  const syntax = await openapiTypescript(openapiOutput().text, { silent: true });
  return { path: '../generated/openapi-types.gen.ts', text: banner + astToString(syntax) };
}

if (import.meta.main) publish(await typesOutput());
