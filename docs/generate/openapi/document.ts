/** The parts of the document that belong to no operation: title, introduction, servers, tags, security. */
import { readFileSync } from 'node:fs';

const introduction = readFileSync(new URL('introduction.md', import.meta.url), 'utf8').trim();

/** Shown where the document is not served by a running gateway. */
export const LOCAL_BASE = 'http://127.0.0.1:8080';

export const tags = [
  { name: 'Models', description: 'What the key in use can call, and the public catalog with prices.' },
  { name: 'Responses', description: 'Text with typed items, tools, reasoning and stored turns. The protocol of coding agents.' },
  { name: 'Chat', description: 'Text by messages. The protocol that most SDKs and tools know.' },
  { name: 'Images', description: 'Pictures from a prompt, and from other pictures.' },
  { name: 'Usage', description: 'What was called and what it cost, to the millionth of a dollar.' },
  { name: 'Account', description: 'What is left to spend, what the key may do, sums of usage, and a statement.' },
];

export const securitySchemes = {
  apiKey: { type: 'http', scheme: 'bearer', description: 'An API key of the gateway: `Authorization: Bearer <API_KEY>`.' },
} as const;

/** Everything but paths and components. */
export function openDocument(version: string) {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Modelgate',
      version,
      summary: 'One API for the models behind the gateway.',
      description: introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      {
        url: '{base}',
        description: 'The gateway. Paths begin with `/v1`, so the base URL of a client is this address and `/v1`.',
        variables: { base: { default: LOCAL_BASE, description: 'Scheme, host and port.' } },
      },
    ],
    security: [{ apiKey: [] }],
    tags,
  };
}
