/** Signs a request for AWS (Signature Version 4). */
import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import type { HeaderLines, SignableRequest } from '../credentials.ts';

export interface AwsKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** The session token of temporary credentials. */
  readonly sessionToken?: string | undefined;
}

type SourceData = string | ArrayBuffer | ArrayBufferView;

/** The region and service that a signature is valid for. */
export interface SigningScope {
  readonly region: string;
  readonly service: string;
}

/** The hash function for the signing library. With a secret, it's an HMAC. */
class Sha256 {
  readonly #hash: Hash | Hmac;

  constructor(secret?: SourceData) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', toBytes(secret));
  }

  update(data: SourceData): void {
    this.#hash.update(toBytes(data));
  }

  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#hash.digest());
  }

  reset(): void {
    throw new TypeError('a hash can be used only once');
  }
}

function toBytes(data: SourceData): Uint8Array {
  if (typeof data === 'string') return Buffer.from(data);
  return ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data);
}

/** Returns the header lines of one attempt. Doesn't sign headers that a proxy may change. AWS accepts a signature for five minutes. */
export async function signRequest(
  order: SignableRequest,
  keys: AwsKeys,
  { region, service, at: signingDate }: SigningScope & { readonly at: Date },
): Promise<HeaderLines> {
  const { method, host, contentType } = order;
  const [path = '', query = ''] = order.path.split('?');
  const request = {
    method,
    path,
    protocol: 'https:',
    hostname: host,
    query: Object.fromEntries(new URLSearchParams(query)),
    headers: { host, 'content-type': contentType },
    body: order.body ?? '',
  };
  const { headers } = await new SignatureV4({ region, service, credentials: keys, sha256: Sha256 }).sign(request, { signingDate });
  return Object.entries(headers).flatMap(([name, value]) => (name === 'content-type' ? [] : [name, value]));
}
