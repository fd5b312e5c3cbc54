/** Where below its base address an upstream is asked for each operation. */
import type { Operation, UpstreamRequest } from './upstream.ts';

const paths: Readonly<Record<Operation, string>> = {
  createChatCompletion: '/chat/completions',
  createResponse: '/responses',
  generateImages: '/images/generations',
  editImages: '/images/edits',
};

/** The path that a request goes to, behind that of the base address. */
export const pathOf = ({ operation, path }: Pick<UpstreamRequest, 'operation' | 'path'>): string => path ?? paths[operation];
