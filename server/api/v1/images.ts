/** Handlers for POST /v1/images/generations and POST /v1/images/edits. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ImageEditRequest, isDataUrl } from '../../../contract/images.ts';
import { runWithIdempotency } from '../../call/idempotency.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import { getJsonBody } from '../http/json-parser.ts';
import { setDroppedHeader } from '../http/response-headers.ts';
import type { Handlers } from '../http/ts-rest.ts';
import { getCall } from './auth-hook.ts';
import { checkImage, checkMask, readDataUrl } from './image-checks.ts';

/** Checks the bytes of images in data URLs; the contract checked only the URLs. The upstream fetches other images itself. */
function checkImages({ images, mask }: ImageEditRequest): void {
  const decodeImage = (url: string | null | undefined, param: string) => (url && isDataUrl(url) ? readDataUrl(url, param) : undefined);
  const imageBytes = images.map(({ image_url }, index) => {
    const param = `images[${index}].image_url`;
    const bytes = decodeImage(image_url, param);
    if (bytes) checkImage(bytes, param);
    return bytes;
  });
  const maskBytes = decodeImage(mask?.image_url, 'mask.image_url');
  if (maskBytes) checkMask(maskBytes, imageBytes[0]);
}

export function createImageHandlers(gateway: Gateway): Handlers<'generateImages' | 'editImages'> {
  const handleImages = async (parsed: Parameters<typeof runWithIdempotency>[2], request: FastifyRequest, reply: FastifyReply) => {
    const call = getCall(request);
    const response = await runWithIdempotency(gateway, call, parsed);
    setDroppedHeader(call, reply);
    return response;
  };
  return {
    async generateImages({ request, reply, pass }) {
      return pass(reply, await handleImages({ operation: 'generateImages', body: getJsonBody(request) }, request, reply));
    },
    async editImages({ request, reply, body, pass }) {
      if (!request.form) checkImages(body);
      const sent = request.form ?? getJsonBody(request);
      return pass(reply, await handleImages({ operation: 'editImages', body: sent }, request, reply));
    },
  };
}
