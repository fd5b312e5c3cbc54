/** An OpenID Connect identity provider that checks its client strictly, and breaks the protocol only when a test says so. */
import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

type Fields = Record<string, unknown>;

export interface Token {
  header: Fields;
  claims: Fields;
  /** The key that signs the token; null: the signature is empty. */
  key: KeyObject | null;
}

export interface IdentityProvider {
  readonly issuer: string;
  /** Faults of the client, and codes that were used twice. */
  readonly complaints: readonly string[];
  /** Requested paths, in order. */
  readonly asked: readonly string[];
  /** The user of the next sign-ins. */
  person: Fields;
  /** Whether sign-in shows a page with a link in place of an immediate redirect. */
  isAsking: boolean;
  /** Changes the next ID tokens. */
  spoil: ((token: Token) => void) | null;
  /** Changes the next callbacks. */
  spoilCallback: ((callback: URL) => void) | null;
  /** Changes the discovery document. */
  spoilMetadata: ((metadata: Fields) => void) | null;
  /** Instead of a header. */
  takesSecretInBody: boolean;
  /** Whether a used code is accepted again. */
  isForgetful: boolean;
  /** `silent`: accepts requests and never answers. */
  state: 'well' | 'silent' | 'failing';
  /** From now on signs with a new key, and publishes only that one. */
  rotateKey(): void;
  close(): Promise<void>;
}

export interface Client {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Exactly. */
  readonly redirectUri: string;
}

interface Grant {
  readonly nonce: string;
  readonly challenge: string;
  isUsed: boolean;
}

const newKey = () => ({ id: randomBytes(6).toString('hex'), ...generateKeyPairSync('rsa', { modulusLength: 2048 }) });
/** The first signing key of all providers. It is shared, because generating a key takes long. */
const firstKey = newKey();
const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Listens on a port of `localhost`, a different site than 127.0.0.1. */
export async function openIdentityProvider(client: Client): Promise<IdentityProvider> {
  const complaints: string[] = [];
  const asked: string[] = [];
  const grants = new Map<string, Grant>();
  let key = firstKey;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', provider.issuer);
    asked.push(url.pathname);
    if (provider.state === 'silent') return;
    if (provider.state === 'failing') return void response.writeHead(503).end('down for maintenance');
    const route = routes[`${request.method} ${url.pathname}`];
    if (route === undefined) return void response.writeHead(404).end();
    void route(request, response, url);
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  // A listening TCP server has an address with a port.
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;

  const provider: IdentityProvider = {
    issuer,
    complaints,
    asked,
    person: { sub: 'u-1', name: 'Ada', groups: ['operators'] },
    isAsking: false,
    spoil: null,
    spoilCallback: null,
    spoilMetadata: null,
    takesSecretInBody: false,
    isForgetful: false,
    state: 'well',
    rotateKey: () => {
      key = newKey();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  const refuse = (response: ServerResponse, status: number, error: string, why: string) => {
    complaints.push(why);
    sendJson(response, { error }, status);
  };

  const authorize: Route = (_request, response, { searchParams: query }) => {
    const wrong = Object.entries({
      client_id: query.get('client_id') === client.clientId,
      redirect_uri: query.get('redirect_uri') === client.redirectUri,
      response_type: query.get('response_type') === 'code',
      scope: query.get('scope')?.split(' ').includes('openid') === true,
      state: (query.get('state')?.length ?? 0) >= 32,
      nonce: (query.get('nonce')?.length ?? 0) >= 32,
      code_challenge: query.get('code_challenge')?.length === 43,
      code_challenge_method: query.get('code_challenge_method') === 'S256',
    }).flatMap(([name, isRight]) => (isRight ? [] : [name]));
    if (wrong.length > 0) return refuse(response, 400, 'invalid_request', `wrong ${wrong.join(', ')}`);
    const code = randomBytes(24).toString('base64url');
    grants.set(code, { nonce: query.get('nonce') ?? '', challenge: query.get('code_challenge') ?? '', isUsed: false });
    const callback = new URL(client.redirectUri);
    for (const [name, value] of Object.entries({ code, state: query.get('state') ?? '', iss: issuer }))
      callback.searchParams.set(name, value);
    provider.spoilCallback?.(callback);
    if (!provider.isAsking) return void response.writeHead(302, { location: callback.href }).end();
    const page = `<!doctype html><html lang="en"><title>Provider</title><link rel="icon" href="data:,"><a href="${callback.href.replaceAll('&', '&amp;')}">Continue</a></html>`;
    response.writeHead(200, { 'content-type': 'text/html' }).end(page);
  };

  const token: Route = async (request, response) => {
    const form = new URLSearchParams(await text(request));
    const grant = grants.get(form.get('code') ?? '');
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (!isProved(request, form)) return refuse(response, 401, 'invalid_client', 'wrong secret');
    if (form.get('redirect_uri') !== client.redirectUri) return refuse(response, 400, 'invalid_grant', 'another redirect_uri');
    if (grant === undefined) return refuse(response, 400, 'invalid_grant', 'an unknown code');
    if (grant.challenge !== proof) return refuse(response, 400, 'invalid_grant', 'a wrong verifier');
    if (grant.isUsed && !provider.isForgetful) return refuse(response, 400, 'invalid_grant', 'a code that was used');
    grant.isUsed = true;
    sendJson(response, { access_token: randomBytes(16).toString('hex'), token_type: 'Bearer', expires_in: 60, id_token: tokenFor(grant) });
  };

  /** Authenticates the client by the one method that the metadata names. */
  function isProved({ headers: { authorization = '' } }: IncomingMessage, form: URLSearchParams): boolean {
    const [id = '', secret = ''] = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString().split(':').map(decodeURIComponent);
    const told = provider.takesSecretInBody ? [form.get('client_id'), form.get('client_secret')] : [id, secret];
    return told[0] === client.clientId && told[1] === client.clientSecret;
  }

  function tokenFor({ nonce }: Grant): string {
    const now = Math.floor(Date.now() / 1_000);
    const made: Token = {
      header: { alg: 'RS256', kid: key.id, typ: 'JWT' },
      claims: { iss: issuer, aud: client.clientId, iat: now, exp: now + 60, nonce, ...provider.person },
      key: key.privateKey,
    };
    provider.spoil?.(made);
    const content = `${base64url(made.header)}.${base64url(made.claims)}`;
    return `${content}.${made.key === null ? '' : createSign('sha256').update(content).sign(made.key, 'base64url')}`;
  }

  const metadata: Route = (_request, response) => {
    const told = {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      ...(provider.takesSecretInBody && { token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'] }),
    };
    provider.spoilMetadata?.(told);
    sendJson(response, told);
  };
  const jwks: Route = (_request, response) =>
    sendJson(response, { keys: [{ ...key.publicKey.export({ format: 'jwk' }), kid: key.id, alg: 'RS256', use: 'sig' }] });

  const routes: Readonly<Record<string, Route>> = {
    'GET /.well-known/openid-configuration': metadata,
    'GET /keys': jwks,
    'GET /authorize': authorize,
    'POST /token': token,
  };
  return provider;
}

type Route = (request: IncomingMessage, response: ServerResponse, url: URL) => void | Promise<void>;

function sendJson(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(JSON.stringify(body));
}
