/** The routes of the contract, each with its path below the origin, and the version of this package. */
// Generated from the contract by `node docs/generate/client.ts`; do not edit.

export interface Route {
  readonly method: string;
  readonly path: string;
  /** What a stream must end with: the type of an event, or only its data. Omitted for operations without streams. */
  readonly ends?: readonly string[];
}

const table = {
  listModels: { method: 'GET', path: '/v1/models' },
  createResponse: { method: 'POST', path: '/v1/responses', ends: ['response.completed', 'response.incomplete', 'response.failed'] },
  createChatCompletion: { method: 'POST', path: '/v1/chat/completions', ends: ['[DONE]'] },
  generateImages: { method: 'POST', path: '/v1/images/generations', ends: ['image_generation.completed'] },
  editImages: { method: 'POST', path: '/v1/images/edits', ends: ['image_edit.completed'] },
  getModel: { method: 'GET', path: '/v1/models/{model}' },
  getProtocol: { method: 'GET', path: '/v1/protocol' },
  getCatalog: { method: 'GET', path: '/catalog' },
  countInputTokens: { method: 'POST', path: '/v1/responses/input_tokens' },
  getResponse: { method: 'GET', path: '/v1/responses/{response_id}', ends: ['response.completed', 'response.incomplete', 'response.failed'] },
  deleteResponse: { method: 'DELETE', path: '/v1/responses/{response_id}' },
  cancelResponse: { method: 'POST', path: '/v1/responses/{response_id}/cancel' },
  compactResponse: { method: 'POST', path: '/v1/responses/compact' },
  listInputItems: { method: 'GET', path: '/v1/responses/{response_id}/input_items' },
  listUsage: { method: 'GET', path: '/v1/usage' },
  getUsage: { method: 'GET', path: '/v1/usage/{request_id}' },
  getAccount: { method: 'GET', path: '/v1/account' },
  getKey: { method: 'GET', path: '/v1/key' },
  getUsageSummary: { method: 'GET', path: '/v1/account/usage' },
  listStatement: { method: 'GET', path: '/v1/account/statement' },
} satisfies Readonly<Record<string, Route>>;

export const routes: Readonly<Record<keyof typeof table, Route>> = table;

export const version = '0.1.0';
