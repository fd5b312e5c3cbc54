/** The path of each operation below an upstream's base URL. */
import type { Operation, UpstreamRequest } from './upstream.ts';

const paths: Readonly<Record<Operation, string>> = {
  createChatCompletion: '/chat/completions',
  createResponse: '/responses',
  generateImages: '/images/generations',
  editImages: '/images/edits',
};

/** The path of a request, appended to that of the base URL. */
export const pathOf = ({ operation, path }: Pick<UpstreamRequest, 'operation' | 'path'>): string => path ?? paths[operation];
