/** Builds the request for a Microsoft Entra token, for each kind of credential. */
import { readFile } from 'node:fs/promises';
import type { AuthOf } from '../../config/clouds/auth-schema.ts';

type Entra = AuthOf<'entra'>;
export type Environment = Readonly<Record<string, string | undefined>>;

export interface TokenOrder {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Description of the credential, for `modelgate doctor`. */
export function sourceOf(auth: Entra, env: Environment): string {
  if (auth.clientSecret !== undefined) return 'client secret';
  if (auth.federatedTokenFile !== undefined) return 'workload identity';
  return isService(env) ? 'managed identity of the service' : 'managed identity of the machine';
}

/** Rejects when the file of a workload identity cannot be read. */
export async function tokenOrder(auth: Entra, env: Environment): Promise<TokenOrder> {
  if (auth.managedIdentity) return isService(env) ? serviceOrder(auth, env) : machineOrder(auth, env);
  const form = { grant_type: 'client_credentials', client_id: auth.clientId ?? '', ...(await proofOf(auth)), scope: auth.scope };
  return {
    method: 'POST',
    url: `${auth.authority}/${encodeURIComponent(auth.tenantId ?? '')}/oauth2/v2.0/token`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams(form).toString(),
  };
}

const ASSERTION = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

async function proofOf({ clientSecret, federatedTokenFile = '' }: Entra): Promise<Readonly<Record<string, string>>> {
  if (clientSecret !== undefined) return { client_secret: clientSecret };
  // The file is replaced before its token expires, so it is read for each fetch.
  return { client_assertion_type: ASSERTION, client_assertion: (await readFile(federatedTokenFile, 'utf8')).trim() };
}

/** App Service, Functions and Container Apps set both variables. */
const isService = ({ IDENTITY_ENDPOINT, IDENTITY_HEADER }: Environment): boolean => Boolean(IDENTITY_ENDPOINT && IDENTITY_HEADER);

function serviceOrder(auth: Entra, { IDENTITY_ENDPOINT = '', IDENTITY_HEADER = '' }: Environment): TokenOrder {
  const url = new URL(IDENTITY_ENDPOINT);
  url.search = queryOf(auth, '2019-08-01');
  return { method: 'GET', url: url.href, headers: { 'x-identity-header': IDENTITY_HEADER, accept: 'application/json' } };
}

/** The metadata service has the same address on every virtual machine. */
const MACHINE = 'http://169.254.169.254';

function machineOrder(auth: Entra, { AZURE_POD_IDENTITY_AUTHORITY_HOST = MACHINE }: Environment): TokenOrder {
  const url = new URL('/metadata/identity/oauth2/token', AZURE_POD_IDENTITY_AUTHORITY_HOST);
  url.search = queryOf(auth, '2018-02-01');
  return { method: 'GET', url: url.href, headers: { metadata: 'true', accept: 'application/json' } };
}

/** These two endpoints expect the resource: the scope without `/.default`. */
function queryOf({ scope, clientId }: Entra, version: string): string {
  const resource = scope.replace(/\/\.default$/, '');
  return new URLSearchParams({ 'api-version': version, resource, ...(clientId !== undefined && { client_id: clientId }) }).toString();
}
