/** Writes docs/generated/admin-openapi.json from the operator's contract: its own document, made as that of the callers is. */
import { readFileSync } from 'node:fs';
import { adminContract } from '../../contract/admin/index.ts';
import { adminTags } from '../../contract/admin/metadata.ts';
import { adminSends } from '../../contract/headers.ts';
import { cookieNames } from '../../contract/shared/browser.ts';
import { errorExample } from './examples/errors.ts';
import { adminErrorCodes, describeAdminOperation, isAdminOperation } from './openapi/admin-operation.ts';
import { buildPaths, readVersion } from './openapi/build.ts';
import { collectComponents } from './openapi/components.ts';
import { meaningOf } from './openapi/errors.ts';
import { headerComponents } from './openapi/headers.ts';
import { type Output, publish } from './output.ts';

/** Shown where the document is not served by a running gateway. */
export const LOCAL_ADMIN_BASE = 'http://127.0.0.1:8081';

const introduction = readFileSync(new URL('openapi/admin-introduction.md', import.meta.url), 'utf8').trim();

const head = () => ({
  info: {
    title: 'Modelgate admin API',
    version: readVersion(),
    summary: 'Accounts, keys, money, limits and usage, for operators.',
    description: introduction,
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [
    {
      url: '{base}',
      description: 'The admin listener of the gateway, apart from that of the callers.',
      variables: { base: { default: LOCAL_ADMIN_BASE, description: 'Scheme, host and port.' } },
    },
  ],
  security: [{ adminKey: [] }, { consoleSession: [] }],
  tags: [...adminTags],
});

/** The document as an object, ready for JSON. */
export function buildAdminDocument() {
  const components = collectComponents();
  const document = head();
  const describe = (name: string) => {
    if (!isAdminOperation(name)) throw new Error(`${name} is not an operation of the operator's contract.`);
    return describeAdminOperation({ name, components, base: LOCAL_ADMIN_BASE });
  };
  const paths = buildPaths({ router: adminContract, head: document, components, describe });
  const examples = adminErrorCodes.map((code) => [code, { summary: meaningOf(code), value: errorExample(code) }]);
  const securitySchemes = {
    adminKey: { type: 'http', scheme: 'bearer', description: 'A key of an operator: `Authorization: Bearer mga-…`.' },
    consoleSession: {
      type: 'apiKey',
      in: 'cookie',
      name: cookieNames.console,
      description: 'The session of a browser that has signed in. For programs, the key itself is simpler.',
    },
  } as const;
  const headers = headerComponents(components, adminSends);
  const shared = { schemas: components.all(), securitySchemes, headers, examples: Object.fromEntries(examples) };
  return { openapi: '3.1.0', ...document, paths, components: shared };
}

/** The file as it is checked in. */
export const adminOpenapiOutput = (): Output => ({
  path: '../generated/admin-openapi.json',
  text: `${JSON.stringify(buildAdminDocument(), null, 2)}\n`,
});

if (import.meta.main) publish(adminOpenapiOutput());
