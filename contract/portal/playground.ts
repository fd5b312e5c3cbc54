/** The portal's playground: four operations of the caller API and their receipts, at URLs that accept the portal's cookie instead of a key. */
import { initContract } from '@ts-rest/core';
import { contract } from '../index.ts';

export const PLAYGROUND = '/portal/v1/playground';

/** Bodies, responses, events, and errors match the operation with the same name under `/v1`. */
export const playgroundContract = initContract().router(
  {
    createResponse: { ...contract.createResponse, path: `${PLAYGROUND}/responses` },
    createChatCompletion: { ...contract.createChatCompletion, path: `${PLAYGROUND}/chat/completions` },
    generateImages: { ...contract.generateImages, path: `${PLAYGROUND}/images/generations` },
    // Requests with a cookie can't be forms, because other pages can send forms.
    editImages: { ...contract.editImages, path: `${PLAYGROUND}/images/edits` },
    getUsage: { ...contract.getUsage, path: `${PLAYGROUND}/usage/:request_id` },
  },
  { strictStatusCodes: true },
);
export type PlaygroundContract = typeof playgroundContract;
export type PlaygroundName = keyof PlaygroundContract;
