/** Files for an image edit, sent as a multipart form. */
import type { Fields } from './fields.ts';
import type { ImageEditRequest } from './types.gen.ts';

/** Bytes with a file name. Absent `type`: the gateway looks at the bytes. */
export interface NamedBytes {
  readonly data: Uint8Array | ArrayBuffer | Blob;
  /** File name, such as `cat.png`. */
  readonly name: string;
  /** Media type, such as `image/png`. */
  readonly type?: string | undefined;
}

/** A PNG, JPEG or WebP file of at most 50 MB: a `File` or `Blob`, bytes, or bytes with a name. */
export type Upload = Blob | Uint8Array | NamedBytes;

/** An image edit that uploads files instead of sending data URLs. */
export interface ImageEditUpload extends Omit<ImageEditRequest, 'images' | 'mask'> {
  /** The images to change or to use as input: 1 to 16. */
  readonly image: Upload | readonly Upload[];
  /** A PNG of at most 4 MB, of the size of the first image; transparent pixels mark what to change. */
  readonly mask?: Upload | null | undefined;
}

/** Whether a body has files, and so must be sent as a form. */
export const hasFiles = (body: Fields): boolean => 'image' in body;

function addFile(form: FormData, field: string, upload: Upload): void {
  // A Blob and plain bytes are their own data; a File brings its name along.
  const { data = upload, name = 'image', type } = upload as Partial<NamedBytes>;
  // Each kind of data is one that a Blob can be made of, and has a type of its own or none; the type libraries have no word for them together.
  const source = data as Blob;
  form.append(field, new Blob([source], { type: type ?? source.type ?? '' }), name);
}

/** The form of an upload. It sets no content type: fetch does, with the boundary that it chose. */
export function writeForm(body: Fields): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(body)) {
    if (value === null || value === undefined) continue;
    // The types allow nothing but files in these two fields.
    if (field === 'image' && Array.isArray(value)) for (const file of value) addFile(form, 'image[]', file);
    else if (field === 'image' || field === 'mask') addFile(form, field, value as Upload);
    else form.append(field, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  return form;
}
