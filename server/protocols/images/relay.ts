/** Images to images: forwards at most as many images as were requested. */
import type { Fields } from '../../primitives/fields.ts';
import type { Relay } from '../relay.ts';
import { parseJsonObject, readCompleteResponse } from '../wire/complete-response.ts';
import { withFields } from '../wire/json-body.ts';
import { countResponseImages, getRequestedCount } from './image-count.ts';
import { ImageStream } from './stream.ts';

/** Removes images beyond the requested number, because their cost isn't held. Parses the response only if it has too many. */
function limitImages(request: Fields, bytes: Buffer): Buffer {
  const maxImages = getRequestedCount(request);
  if (countResponseImages(bytes) <= maxImages) return bytes;
  const response = parseJsonObject(bytes.toString());
  return Array.isArray(response.data) && response.data.length > maxImages
    ? Buffer.from(JSON.stringify({ ...response, data: response.data.slice(0, maxImages) }))
    : bytes;
}

export const imagesRelay: Relay = {
  writeRequest: (body, { model }) => withFields(body, { model }),
  readResponse(received, _names, request) {
    const { bytes, usage } = readCompleteResponse(received, { required: 'data' });
    return { bytes: limitImages(request, bytes), usage };
  },
  readStream: () => new ImageStream(),
};
