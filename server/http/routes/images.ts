/** POST /v1/images/generations and POST /v1/images/edits: passes the validated body to the pipeline and returns its answer. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ImageEditRequest } from '../../../contract/images.ts';
import type { Gateway } from '../../gateway.ts';
import { runOnce } from '../../request/idempotent.ts';
import { checkImage, checkMask, readDataUrl } from '../body/image-type.ts';
import { jsonBodyOf } from '../body/json.ts';
import { formOf } from '../body/multipart.ts';
import { callOf } from '../entrance.ts';
import { tellIgnored } from '../response-headers.ts';
import type { Handlers } from '../ts-rest.ts';

/** Checks the bytes of images in data URLs; the contract has checked only that they are data URLs. */
function checkPictures({ images, mask }: ImageEditRequest): void {
  const pictures = images.map(({ image_url }, index) => {
    const param = `images[${index}].image_url`;
    const bytes = readDataUrl(image_url ?? '', param);
    checkImage(bytes, param);
    return bytes;
  });
  if (mask) checkMask(readDataUrl(mask.image_url ?? '', 'mask.image_url'), pictures[0]);
}

export function imageHandlers(gateway: Gateway): Handlers<'generateImages' | 'editImages'> {
  const handle = async (parsed: Parameters<typeof runOnce>[2], request: FastifyRequest, reply: FastifyReply) => {
    const call = callOf(request);
    const answer = await runOnce(gateway, call, parsed);
    tellIgnored(call, reply);
    return answer;
  };
  return {
    async generateImages({ request, reply, pass }) {
      return pass(reply, await handle({ operation: 'generateImages', body: jsonBodyOf(request) }, request, reply));
    },
    async editImages({ request, reply, body, pass }) {
      const form = formOf(request);
      if (!form) checkPictures(body);
      return pass(reply, await handle({ operation: 'editImages', body: form ?? jsonBodyOf(request) }, request, reply));
    },
  };
}
