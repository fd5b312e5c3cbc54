/** The parts of the document that don't belong to an operation: title, introduction, servers, tags, and security. */
import { readFileSync } from 'node:fs';

const introduction = readFileSync(new URL('introduction.md', import.meta.url), 'utf8').trim();

/** Used if no running gateway serves the document. */
export const LOCAL_BASE = 'http://127.0.0.1:8080';

export const tags = [
  { name: 'Models', description: 'The models that your key can call, and the public catalog with prices.' },
  { name: 'Responses', description: 'The Responses API: typed items, tools, reasoning, and stored conversations. Used by coding agents.' },
  { name: 'Chat', description: 'The Chat Completions API: conversations as messages. Supported by most SDKs and tools.' },
  { name: 'Images', description: 'Generate images from a prompt, and edit images.' },
  { name: 'Usage', description: 'Your requests and their cost, to the millionth of a dollar.' },
  { name: 'Account', description: "Your balance, your key's permissions, usage totals, and a statement." },
];

export const securitySchemes = {
  apiKey: { type: 'http', scheme: 'bearer', description: 'An API key of the gateway: `Authorization: Bearer <API_KEY>`.' },
} as const;

/** Returns the document without paths and components. */
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
        description: "The gateway. Paths start with `/v1`, so a client's base URL is this address followed by `/v1`.",
        variables: { base: { default: LOCAL_BASE, description: 'Scheme, host, and port.' } },
      },
    ],
    security: [{ apiKey: [] }],
    tags,
  };
}
