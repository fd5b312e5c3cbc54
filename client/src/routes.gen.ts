/** The routes of the contract, below the base URL, and the version of this package (specification part 4). */
// Generated from the contract by `node docs/client.ts`; do not edit.

export interface Route {
  readonly method: string;
  readonly path: string;
  /** What a stream has to end in: the type of an event, or the bare data. */
  readonly ends: readonly string[];
}

export const routes = {
  listModels: { method: 'GET', path: '/models', ends: [] },
  getModel: { method: 'GET', path: '/models/{model}', ends: [] },
  getCatalog: { method: 'GET', path: '/../catalog', ends: [] },
  createResponse: { method: 'POST', path: '/responses', ends: ['response.completed', 'response.incomplete', 'response.failed'] },
  getResponse: { method: 'GET', path: '/responses/{response_id}', ends: [] },
  deleteResponse: { method: 'DELETE', path: '/responses/{response_id}', ends: [] },
  listInputItems: { method: 'GET', path: '/responses/{response_id}/input_items', ends: [] },
  createChatCompletion: { method: 'POST', path: '/chat/completions', ends: ['[DONE]'] },
  generateImages: { method: 'POST', path: '/images/generations', ends: ['image_generation.completed'] },
  editImages: { method: 'POST', path: '/images/edits', ends: ['image_edit.completed'] },
  listUsage: { method: 'GET', path: '/usage', ends: [] },
  getUsage: { method: 'GET', path: '/usage/{request_id}', ends: [] },
} as const satisfies Readonly<Record<string, Route>>;

export const version = '0.1.0';
