/** Imitates the token endpoints of Microsoft Entra and of Azure's machines. Checks each parameter strictly; tokens expire and can be revoked. */
import { json } from './delivery.ts';
import type { FakeRequest } from './exchange.ts';
import type { Script } from './script.ts';

export interface EntraRules {
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Content of the workload identity's file. */
  readonly assertion: string;
  readonly scope: string;
  /** Value of `x-identity-header`, which App Service requires. */
  readonly identityHeader: string;
}

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const ASSERTION = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

export class FakeEntra {
  readonly issued: string[] = [];
  /** Lifetime of the next tokens, in seconds. */
  life = 3_600;
  /** Seconds by which this clock is ahead of the test's. */
  ahead = 0;
  readonly #rules: EntraRules;
  readonly #good = new Set<string>();

  constructor(rules: EntraRules) {
    this.#rules = rules;
  }

  readonly isGood = (token: string): boolean => this.#good.has(token);

  /** Revokes all tokens. */
  revoke(): void {
    this.#good.clear();
  }

  readonly answer = (request: FakeRequest): Script => {
    if (request.path === '/metadata/identity/oauth2/token')
      return this.#fromMachine(request, '2018-02-01', request.headers.metadata === 'true');
    if (request.path === '/msi/token')
      return this.#fromMachine(request, '2019-08-01', request.headers['x-identity-header'] === this.#rules.identityHeader);
    if (request.method !== 'POST' || request.path !== `/${this.#rules.tenantId}/oauth2/v2.0/token`)
      return refuse(400, 'invalid_request', 'AADSTS90002: Tenant not found.');
    return this.#fromForm(request);
  };

  #fromForm(request: FakeRequest): Script {
    const { clientId, clientSecret, assertion, scope } = this.#rules;
    const form = new URLSearchParams(request.body.toString());
    const said = Object.fromEntries(form);
    if (request.headers['content-type'] !== 'application/x-www-form-urlencoded' || Object.keys(said).length !== form.size)
      return refuse(400, 'invalid_request', 'AADSTS900144: The request body must contain each parameter once.');
    const { client_secret, client_assertion, client_assertion_type, ...rest } = said;
    const wanted = { grant_type: 'client_credentials', client_id: clientId, scope };
    if (JSON.stringify(Object.entries(rest).sort()) !== JSON.stringify(Object.entries(wanted).sort()))
      return refuse(400, 'invalid_scope', `AADSTS70011: The provided value for the input parameter 'scope' is not valid: ${form}`);
    if (client_secret === clientSecret && client_assertion === undefined) return this.#issue(Number);
    if (client_secret === undefined && client_assertion === assertion && client_assertion_type === ASSERTION) return this.#issue(Number);
    return refuse(401, 'invalid_client', `AADSTS7000215: Invalid client secret provided: '${client_secret ?? client_assertion}'.`);
  }

  #fromMachine({ method, query, headers }: FakeRequest, version: string, isKnown: boolean): Script {
    const resource = this.#rules.scope.replace('/.default', '');
    const isRight = method === 'GET' && query.get('api-version') === version && query.get('resource') === resource;
    if (!isKnown || !isRight || headers['x-forwarded-for'] !== undefined) return refuse(400, 'invalid_request', 'Bad request.');
    const client = query.get('client_id');
    if (client !== null && client !== this.#rules.clientId) return refuse(400, 'invalid_request', 'Identity not found');
    return this.#issue(String);
  }

  /** Machines send numbers as text; App Service sends only the time of expiry. */
  #issue(write: (value: number) => number | string): Script {
    const now = Math.floor(Date.now() / 1_000);
    const exp = now + this.ahead + this.life;
    const { scope, tenantId, clientId } = this.#rules;
    const claims = { aud: scope.replace('/.default', ''), tid: tenantId, appid: clientId, exp, jti: this.issued.length };
    const token = `${base64url({ alg: 'RS256', typ: 'JWT' })}.${base64url(claims)}.c2lnbmF0dXJl`;
    this.issued.push(token);
    this.#good.add(token);
    const ends = write === String ? { expires_on: write(exp) } : { expires_in: write(this.life) };
    return json({ token_type: 'Bearer', ...ends, access_token: token });
  }
}

const refuse = (status: number, error: string, error_description: string): Script =>
  json({ error, error_description, error_codes: [Number(/AADSTS(\d+)/.exec(error_description)?.[1] ?? 0)] }, { status });
