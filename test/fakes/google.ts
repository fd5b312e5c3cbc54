/** Imitates the token endpoints of Google and of its machines. Checks signatures, claims and parameters strictly; tokens expire and can be revoked. */
import { generateKeyPairSync, verify } from 'node:crypto';
import { json } from './delivery.ts';
import type { FakeRequest } from './exchange.ts';
import type { Script } from './script.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
export const privatePem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

export const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
export const account = 'gateway@my-project.iam.gserviceaccount.com';
export const secrets = {
  refreshToken: '1//refresh-token-of-a-user',
  clientSecret: 'secret-of-gcloud',
  /** The token that the other platform's file or URL returns. */
  subject: 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJwb2QifQ.cG9k',
};
const audience = '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/pool/providers/k8s';

type Fields = Readonly<Record<string, unknown>>;

/** Credential files in Google's format, for token endpoints at `origin`. */
export const credentialsAt = (origin: string) => {
  const impersonation = `${origin}/v1/projects/-/serviceAccounts/${account}:generateAccessToken`;
  const serviceAccount = {
    type: 'service_account',
    project_id: 'my-project',
    private_key_id: 'key-1',
    private_key: privatePem,
    client_email: account,
    client_id: '1',
    token_uri: `${origin}/token`,
  };
  const user = {
    type: 'authorized_user',
    client_id: 'gcloud.apps.googleusercontent.com',
    client_secret: secrets.clientSecret,
    refresh_token: secrets.refreshToken,
    quota_project_id: 'payer-1',
    token_uri: `${origin}/token`,
  };
  return {
    serviceAccount,
    user,
    federation: (source: object, more: object = {}) => ({
      type: 'external_account',
      audience,
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      token_url: `${origin}/v1/token`,
      credential_source: source,
      ...more,
    }),
    impersonation,
    impersonated: {
      type: 'impersonated_service_account',
      service_account_impersonation_url: impersonation,
      source_credentials: user,
    },
  };
};

export class FakeGoogle {
  readonly issued: string[] = [];
  /** Lifetime of the next tokens, in seconds. */
  life = 3_600;
  /** The scope that must be requested. For a token that only impersonates an account, it is that of the platform. */
  scope = SCOPE;
  /** Seconds by which this clock is ahead of the test's. */
  ahead = 0;
  readonly origin: string;
  readonly #good = new Set<string>();
  /** Tokens that may only impersonate the account. */
  readonly #acting = new Set<string>();

  constructor(origin: string) {
    this.origin = origin;
  }

  readonly isGood = (token: string): boolean => this.#good.has(token);

  /** Revokes all tokens. */
  revoke(): void {
    this.#good.clear();
  }

  readonly answer = (request: FakeRequest): Script => {
    if (request.method === 'GET') return this.#get(request);
    if (request.path === '/token') return this.#token(request);
    if (request.path === '/v1/token') return this.#exchange(formOf(request));
    if (request.path === `/v1/projects/-/serviceAccounts/${account}:generateAccessToken`) return this.#impersonate(request);
    return this.#refuse(404, 'not_found', 'no such endpoint');
  };

  #get({ path, query, headers }: FakeRequest): Script {
    if (path === '/subject') {
      if (headers['x-platform'] !== 'pod') return this.#refuse(403, 'forbidden', 'no');
      return json({ nested: { no: 1 }, id_token: secrets.subject });
    }
    const isRight = path === '/computeMetadata/v1/instance/service-accounts/default/token' && query.get('scopes') === this.scope;
    if (!isRight || headers['metadata-flavor'] !== 'Google' || headers['x-forwarded-for'] !== undefined)
      return this.#refuse(403, 'forbidden', 'no');
    return this.#issue();
  }

  #token(request: FakeRequest): Script {
    const form = formOf(request);
    if (form?.grant_type === 'refresh_token') {
      const { grant_type: _grant, ...rest } = form;
      const wanted = {
        client_id: 'gcloud.apps.googleusercontent.com',
        client_secret: secrets.clientSecret,
        refresh_token: secrets.refreshToken,
      };
      return isSame(rest, wanted) ? this.#issue() : this.#refuse(400, 'invalid_grant', `Bad Request ${form.refresh_token}`);
    }
    if (form?.grant_type !== 'urn:ietf:params:oauth:grant-type:jwt-bearer' || Object.keys(form).length !== 2)
      return this.#refuse(400, 'unsupported_grant_type', 'Invalid grant_type');
    const fault = this.#faultOf(form.assertion ?? '');
    return fault === null ? this.#issue() : this.#refuse(400, 'invalid_grant', `${fault} ${form.assertion}`);
  }

  #faultOf(assertion: string): string | null {
    const [head = '', middle = '', signature = ''] = assertion.split('.');
    const isSigned = verify('RSA-SHA256', Buffer.from(`${head}.${middle}`), publicKey, Buffer.from(signature, 'base64url'));
    if (!isSigned) return 'Invalid JWT Signature.';
    if (!isSame(decode(head), { alg: 'RS256', typ: 'JWT', kid: 'key-1' })) return 'Invalid JWT: header.';
    const { iat, exp, ...rest } = decode(middle);
    if (!isSame(rest, { iss: account, scope: this.scope, aud: `${this.origin}/token` })) return 'Invalid JWT: claims.';
    const now = this.#seconds();
    if (typeof iat !== 'number' || typeof exp !== 'number' || exp - iat > 3_600 || Math.abs(now - iat) > 300 || exp < now)
      return 'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe.';
    return null;
  }

  #exchange(form: Readonly<Record<string, string>> | null): Script {
    const wanted = {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      audience,
      scope: SCOPE,
      requested_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      subject_token: secrets.subject,
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    };
    if (form === null || !isSame(form, wanted)) return this.#refuse(400, 'invalid_grant', `The given credential is rejected: ${form}`);
    return this.#issue();
  }

  #impersonate({ headers, fields }: FakeRequest): Script {
    const token = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
    if (!this.#good.has(token) || this.#acting.has(token))
      return json({ error: { code: 403, message: `Permission denied ${token}`, status: 'PERMISSION_DENIED' } }, { status: 403 });
    if (!isSame(fields, { scope: [this.scope], lifetime: '3600s' }))
      return json({ error: { status: 'INVALID_ARGUMENT' } }, { status: 400 });
    const accessToken = this.#mint();
    this.#acting.add(accessToken);
    return json({ accessToken, expireTime: new Date((this.#seconds() + this.life) * 1_000).toISOString() }, this.#head());
  }

  #issue(): Script {
    return json({ access_token: this.#mint(), expires_in: this.life, token_type: 'Bearer' }, this.#head());
  }

  #mint(): string {
    const token = `ya29.fake-token-${this.issued.length}`;
    this.issued.push(token);
    this.#good.add(token);
    return token;
  }

  #refuse(status: number, error: string, error_description: string): Script {
    return json({ error, error_description }, { status, ...this.#head() });
  }

  #head() {
    return { headers: { date: new Date(this.#seconds() * 1_000).toUTCString(), 'metadata-flavor': 'Google' } };
  }

  #seconds(): number {
    return Math.floor(Date.now() / 1_000) + this.ahead;
  }
}

/** The fields of a form; null when a field is repeated or the body is no form. */
function formOf({ headers, body }: FakeRequest): Readonly<Record<string, string>> | null {
  if (headers['content-type'] !== 'application/x-www-form-urlencoded') return null;
  const form = new URLSearchParams(body.toString());
  const fields = Object.fromEntries(form);
  return Object.keys(fields).length === form.size ? fields : null;
}

const decode = (part: string): Fields => JSON.parse(Buffer.from(part, 'base64url').toString());
const sorted = (value: Fields): string => JSON.stringify(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
const isSame = (one: Fields, other: Fields): boolean => sorted(one) === sorted(other);
