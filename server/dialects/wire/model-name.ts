/** Puts the caller's id of the model into the bytes of an answer: whatever the upstream calls it, callers read the id that they asked for. */
import { withCuts } from './byte-edits.ts';
import { outlineOf } from './json-outline.ts';

/** Takes bytes that are known to be a JSON object. An answer without the field gets one at its end. */
export function withModel(bytes: Buffer, model: string): Buffer {
  const { places } = outlineOf(bytes);
  const place = places.get('model');
  const name = Buffer.from(JSON.stringify(model));
  if (place) return withCuts(bytes, [{ from: place.valueStart, to: place.end, instead: name }]);
  const end = bytes.lastIndexOf('}');
  const field = Buffer.concat([Buffer.from(places.size === 0 ? '"model":' : ',"model":'), name]);
  return withCuts(bytes, [{ from: end, to: end, instead: field }]);
}
