/** Writes docs/generated/openapi.json from the contract. */
import { operationHeaders } from '../../contract/headers.ts';
import { contract } from '../../contract/index.ts';
import { errorExample } from './examples/errors.ts';
import { buildPaths, readVersion } from './openapi/build.ts';
import { collectComponents } from './openapi/components.ts';
import { openDocument, securitySchemes } from './openapi/document.ts';
import { callerCodes, meaningOf } from './openapi/errors.ts';
import { headerComponents } from './openapi/headers.ts';
import type { JsonSchema } from './openapi/json-schema.ts';
import { describeOperation, type OperationName } from './openapi/operation.ts';
import { samplesOf } from './openapi/samples.ts';
import { type Output, publish } from './output.ts';

const isOperation = (name: string): name is OperationName => Object.hasOwn(contract, name);

/** For `isOpen`, see `collectComponents`. */
export function buildDocument(isOpen = false) {
  const components = collectComponents(isOpen);
  const { openapi, ...head } = openDocument(readVersion());
  const describe = (name: string) => {
    if (!isOperation(name)) throw new Error(`${name} isn't an operation of the contract.`);
    return describeOperation({ name, route: contract[name], components }, samplesOf(name));
  };
  const paths = buildPaths({ router: contract, head, components, describe });
  const headers = headerComponents(
    components,
    Object.values(operationHeaders).flatMap(({ sends }) => sends),
  );
  return { openapi, ...head, paths, components: { ...shared(components.all()), headers } };
}

function shared(schemas: Readonly<Record<string, JsonSchema>>) {
  const examples = callerCodes.map((code) => [code, { summary: meaningOf(code), value: errorExample(code) }]);
  return {
    schemas,
    securitySchemes,
    examples: Object.fromEntries(examples),
  };
}

export const openapiOutput = (): Output => ({ path: '../generated/openapi.json', text: `${JSON.stringify(buildDocument(), null, 2)}\n` });

if (import.meta.main) publish(openapiOutput());
