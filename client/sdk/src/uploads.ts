/** Files for an image edit, sent as a multipart form. */
import type { Fields } from './fields.ts';
import type { ImageEditRequest } from './types.gen.ts';

/** Bytes with a file name. If `type` is omitted, the gateway detects the type from the bytes. */
export interface NamedBytes {
  readonly data: Uint8Array | ArrayBuffer | Blob;
  /** File name, such as `cat.png`. */
  readonly name: string;
  /** Media type, such as `image/png`. */
  readonly type?: string | undefined;
}

/**
 * A PNG, JPEG, or WebP file of up to 50 MB: a `File` or `Blob`, bytes, or bytes with a name.
 *
 * @see README.md, “Images”, for paths, streams, and responses
 */
export type Upload = Blob | Uint8Array | NamedBytes;

/** An image edit that uploads files instead of sending data URLs. */
export interface ImageEditUpload extends Omit<ImageEditRequest, 'images' | 'mask'> {
  /** The images to edit or to use as input: 1 to 16. */
  readonly image: Upload | readonly Upload[];
  /** A PNG of up to 4 MB, with the same size as the first image. Its transparent areas mark where to edit that image. */
  readonly mask?: Upload | null | undefined;
}

/** Whether a body has files, and must be sent as a form. A text in `image` is JSON, such as a URL in a raw request. */
export const hasFiles = (body: Fields): boolean => typeof body.image === 'object';

function addFile(form: FormData, field: string, upload: Upload): void {
  // A `Blob` or plain bytes are the data themselves, and a `File` also has a name.
  const { data = upload, name = 'image', type } = upload as Partial<NamedBytes>;
  // `as`: `Blob` accepts all kinds of data. Some have a `type`, but the type libraries share no name for them.
  const source = data as Blob;
  form.append(field, new Blob([source], { type: type ?? source.type ?? '' }), name);
}

/** Returns the form of an upload. fetch sets the content type, because it chooses the boundary. */
export function writeForm(body: Fields): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(body)) {
    if (value === null || value === undefined) continue;
    // `as`: the types allow only files in these two fields.
    if (field === 'image' && Array.isArray(value)) for (const file of value) addFile(form, 'image[]', file);
    else if (field === 'image' || field === 'mask') addFile(form, field, value as Upload);
    else form.append(field, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  return form;
}
