/** Signs POST requests with AWS Signature Version 4. Returns the header lines of one attempt. */
import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';
import type { Lines, Order } from '../credentials.ts';

export interface AwsKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** The session token of temporary credentials. */
  readonly sessionToken?: string | undefined;
}

/** Region and service that a signature is valid for. */
export interface Scope {
  readonly region: string;
  readonly service: string;
}

type Header = readonly [name: string, value: string];

export interface Signable {
  readonly method: string;
  /** The path as it is sent, with its query. */
  readonly path: string;
  /** The signed headers, with `x-amz-date`: lower-case names, sorted. */
  readonly headers: readonly Header[];
  /** SHA-256 of the body in hexadecimal digits. */
  readonly hash: string;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';

export class Signer {
  readonly #scope: Scope;
  /** The key that is derived from a secret, which is valid for a day. */
  #derived: { readonly secret: string; readonly day: string; readonly key: KeyObject } | null = null;

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  /** The header lines of one attempt. Headers that a proxy may change are not signed. AWS accepts a signature for five minutes. */
  sign(order: Order, keys: AwsKeys, now: Date): Lines {
    const digest = sha256(order.body ?? '');
    const own: readonly Header[] = [
      ['host', order.host],
      ['x-amz-content-sha256', digest],
      ['x-amz-date', now.toISOString().replace(/[-:]|\.\d{3}/g, '')],
      ...(keys.sessionToken === undefined ? [] : [['x-amz-security-token', keys.sessionToken] as const]),
    ];
    const headers: readonly Header[] = [['content-type', order.contentType], ...own];
    return ['authorization', this.authorization({ method: order.method, path: order.path, headers, hash: digest }, keys), ...own.flat()];
  }

  authorization({ method, path: target, headers, hash: digest }: Signable, keys: AwsKeys): string {
    const time = headers.find(([name]) => name === 'x-amz-date')?.[1] ?? '';
    const names = headers.map(([name]) => name).join(';');
    const [path = '', query = ''] = target.split('?');
    const lines = headers.map(([name, value]) => `${name}:${value.trim().replace(/ +/g, ' ')}`);
    const canonical = [method, canonicalPath(path), canonicalQuery(query), ...lines, '', names, digest].join('\n');
    const day = time.slice(0, 8);
    const scope = `${day}/${this.#scope.region}/${this.#scope.service}/aws4_request`;
    const text = [ALGORITHM, time, scope, sha256(canonical)].join('\n');
    const signature = hmac(this.#keyOf(keys.secretAccessKey, day), text).toString('hex');
    return `${ALGORITHM} Credential=${keys.accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
  }

  /** A `KeyObject`, because Node prepares any other key anew for each signature. */
  #keyOf(secret: string, day: string): KeyObject {
    const kept = this.#derived;
    if (kept && kept.secret === secret && kept.day === day) return kept.key;
    const { region, service } = this.#scope;
    const key = createSecretKey([region, service, 'aws4_request'].reduce(hmac, hmac(`AWS4${secret}`, day)));
    this.#derived = { secret, day, key };
    return key;
  }
}

const sha256 = (bytes: string | Buffer): string => hash('sha256', bytes, 'hex');
const hmac = (key: string | Buffer | KeyObject, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Encodes a text by RFC 3986, with the five characters that `encodeURIComponent` leaves. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);

/** The path as it is sent, encoded once more. */
const canonicalPath = (path: string): string => path.split('/').map(encode).join('/') || '/';

/** The query, sorted by name, then by value. */
const canonicalQuery = (query: string): string =>
  [...new URLSearchParams(query)]
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .sort(([a, first], [b, second]) => (a === b ? inBytes(first, second) : inBytes(a, b)))
    .map((pair) => pair.join('='))
    .join('&');

const inBytes = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
