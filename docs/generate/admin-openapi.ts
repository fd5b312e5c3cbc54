/** Writes docs/generated/admin-openapi.json from the admin contract. It's a separate document, built like the one for callers. */
import { readFileSync } from 'node:fs';
import { adminContract } from '../../contract/admin/index.ts';
import { adminTags } from '../../contract/admin/metadata.ts';
import { adminResponseHeaders } from '../../contract/headers.ts';
import { cookieNames } from '../../contract/shared/browser.ts';
import { errorExample } from './examples/errors.ts';
import { adminErrorCodes, describeAdminOperation, isAdminOperation } from './openapi/admin-operation.ts';
import { buildPaths, readVersion } from './openapi/build.ts';
import { collectComponents } from './openapi/components.ts';
import { meaningOf } from './openapi/errors.ts';
import { headerComponents } from './openapi/headers.ts';
import { type Output, publish } from './output.ts';

/** Used if no running gateway serves the document. */
export const LOCAL_ADMIN_BASE = 'http://127.0.0.1:8081';

const introduction = readFileSync(new URL('openapi/admin-introduction.md', import.meta.url), 'utf8').trim();

const head = () => ({
  info: {
    title: 'Modelgate admin API',
    version: readVersion(),
    summary: 'Accounts, keys, money, limits, and usage, for operators.',
    description: introduction,
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [
    {
      url: '{base}',
      description: "The gateway's admin listener, which is separate from the listener for callers.",
      variables: { base: { default: LOCAL_ADMIN_BASE, description: 'Scheme, host, and port.' } },
    },
  ],
  security: [{ adminKey: [] }, { consoleSession: [] }],
  tags: [...adminTags],
});

export function buildAdminDocument() {
  const components = collectComponents();
  const document = head();
  const describe = (name: string) => {
    if (!isAdminOperation(name)) throw new Error(`${name} isn't an operation of the admin contract.`);
    return describeAdminOperation({ name, components, base: LOCAL_ADMIN_BASE });
  };
  const paths = buildPaths({ router: adminContract, head: document, components, describe });
  const examples = adminErrorCodes.map((code) => [code, { summary: meaningOf(code), value: errorExample(code) }]);
  const securitySchemes = {
    adminKey: { type: 'http', scheme: 'bearer', description: 'An admin key: `Authorization: Bearer mga-…`.' },
    consoleSession: {
      type: 'apiKey',
      in: 'cookie',
      name: cookieNames.console,
      description: 'The session cookie of a browser that has signed in. In code, use the admin key instead.',
    },
  } as const;
  const headers = headerComponents(components, adminResponseHeaders);
  const shared = { schemas: components.all(), securitySchemes, headers, examples: Object.fromEntries(examples) };
  return { openapi: '3.1.0', ...document, paths, components: shared };
}

export const adminOpenapiOutput = (): Output => ({
  path: '../generated/admin-openapi.json',
  text: `${JSON.stringify(buildAdminDocument(), null, 2)}\n`,
});

if (import.meta.main) publish(adminOpenapiOutput());
