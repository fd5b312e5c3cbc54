/** Writes docs/generated/portal-openapi.json from the portal's contract. It's a separate document, built like the one for callers. */
import { readFileSync } from 'node:fs';
import { portalResponseHeaders } from '../../contract/headers.ts';
import { portalTags } from '../../contract/portal/answers.ts';
import { portalContract } from '../../contract/portal/index.ts';
import { cookieNames } from '../../contract/shared/browser.ts';
import { errorExample } from './examples/errors.ts';
import { buildPaths, readVersion } from './openapi/build.ts';
import { collectComponents } from './openapi/components.ts';
import { LOCAL_BASE } from './openapi/document.ts';
import { meaningOf } from './openapi/errors.ts';
import { headerComponents } from './openapi/headers.ts';
import { describePortalOperation, isPortalOperation, portalErrorCodes } from './openapi/portal-operation.ts';
import { type Output, publish } from './output.ts';

const introduction = readFileSync(new URL('openapi/portal-introduction.md', import.meta.url), 'utf8').trim();

const head = () => ({
  info: {
    title: 'Modelgate portal API',
    version: readVersion(),
    summary: 'The API behind the portal, for key owners.',
    description: introduction,
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [
    {
      url: '{base}',
      description: 'The gateway.',
      variables: { base: { default: LOCAL_BASE, description: 'Scheme, host, and port.' } },
    },
  ],
  security: [{ portalSession: [] }],
  tags: [...portalTags],
});

export function buildPortalDocument() {
  const components = collectComponents();
  const document = head();
  const describe = (name: string) => {
    if (!isPortalOperation(name)) throw new Error(`${name} isn't an operation of the portal's contract.`);
    return describePortalOperation(name, components);
  };
  const paths = buildPaths({ router: portalContract, head: document, components, describe });
  const examples = portalErrorCodes.map((code) => [code, { summary: meaningOf(code), value: errorExample(code) }]);
  const securitySchemes = {
    portalSession: {
      type: 'apiKey',
      in: 'cookie',
      name: cookieNames.portal,
      description: 'The session cookie of a browser that has signed in.',
    },
  } as const;
  const headers = headerComponents(components, portalResponseHeaders);
  const shared = { schemas: components.all(), securitySchemes, headers, examples: Object.fromEntries(examples) };
  return { openapi: '3.1.0', ...document, paths, components: shared };
}

export const portalOpenapiOutput = (): Output => ({
  path: '../generated/portal-openapi.json',
  text: `${JSON.stringify(buildPortalDocument(), null, 2)}\n`,
});

if (import.meta.main) publish(portalOpenapiOutput());
