/** A valid request of every operation, for tests that change one thing in it. */
import type { OperationName } from '../../../contract/operation-errors.ts';
import { drawPng } from '../../fakes/images.ts';

export interface Asked {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** `ID` stands for an id, which may exist or not. */
  readonly path: string;
  readonly json?: object;
}

export const picture = { image_url: `data:image/png;base64,${drawPng().toString('base64')}` };

export const asks: Readonly<Record<OperationName, Asked>> = {
  listModels: { method: 'GET', path: '/v1/models' },
  getModel: { method: 'GET', path: '/v1/models/ID' },
  getProtocol: { method: 'GET', path: '/v1/protocol' },
  getCatalog: { method: 'GET', path: '/catalog' },
  createResponse: { method: 'POST', path: '/v1/responses', json: { model: 'gpt-5.4', input: 'Hello' } },
  countInputTokens: { method: 'POST', path: '/v1/responses/input_tokens', json: { model: 'gpt-5.4', input: 'Hello' } },
  getResponse: { method: 'GET', path: '/v1/responses/ID' },
  deleteResponse: { method: 'DELETE', path: '/v1/responses/ID' },
  cancelResponse: { method: 'POST', path: '/v1/responses/ID/cancel' },
  compactResponse: { method: 'POST', path: '/v1/responses/compact', json: { model: 'gpt-5.4', input: 'Hello' } },
  listInputItems: { method: 'GET', path: '/v1/responses/ID/input_items' },
  createChatCompletion: {
    method: 'POST',
    path: '/v1/chat/completions',
    json: { model: 'gpt-5.4', messages: [{ role: 'user', content: 'Hello' }] },
  },
  generateImages: { method: 'POST', path: '/v1/images/generations', json: { model: 'gpt-image-2', prompt: 'a lighthouse' } },
  editImages: { method: 'POST', path: '/v1/images/edits', json: { model: 'gpt-image-2', prompt: 'a boat', images: [picture] } },
  listUsage: { method: 'GET', path: '/v1/usage' },
  getUsage: { method: 'GET', path: '/v1/usage/ID' },
  getAccount: { method: 'GET', path: '/v1/account' },
  getKey: { method: 'GET', path: '/v1/key' },
  getUsageSummary: { method: 'GET', path: '/v1/account/usage' },
  listStatement: { method: 'GET', path: '/v1/account/statement' },
};
