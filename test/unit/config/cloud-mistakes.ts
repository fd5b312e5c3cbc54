/** Mistakes in `auth` and in the places of upstreams; part of the table of `rejected.test.ts`. */
import type { Mistake } from './mistakes.ts';

/** A file with one upstream, one line for each of its keys. */
const upstream = (...keys: readonly string[]): readonly string[] => ['upstreams:', '  a:', ...keys.map((key) => `    ${key}`)];
const azure = 'azure: { resource: contoso }';
const entra = (...keys: readonly string[]): string => `auth: { ${['type: entra', ...keys].join(', ')} }`;

export const cloudMistakes: readonly Mistake[] = [
  {
    what: 'an unknown way to authenticate',
    lines: upstream('kind: openai', 'auth: { type: ldap }'),
    at: '4:13',
    key: 'upstreams.a.auth.type',
    message: /must be one of none, bearer, header, sigv4, google, entra/,
  },
  {
    what: 'a misspelt key of auth',
    lines: upstream('kind: openai', azure, entra('managedIdentities: true')),
    at: '5:26',
    key: 'upstreams.a.auth.managedIdentities',
    message: /isn't a known key/,
    remedy: /Did you mean managedIdentity\?/,
  },
  {
    what: 'a key beside access tokens',
    lines: upstream('kind: openai', azure, 'apiKey: k', entra('managedIdentity: true')),
    at: '5:5',
    key: 'upstreams.a.apiKey',
    message: /can't be combined with auth\.type 'entra'/,
  },
  {
    what: 'a header of its own without a key',
    lines: upstream('kind: openai', 'auth: { type: header, name: api-key }'),
    at: '4:13',
    key: 'upstreams.a.auth.type',
    message: /requires a key/,
  },
  {
    what: 'a key in the headers beside a key',
    lines: upstream('kind: openai', azure, 'apiKey: k', 'headers: { API-Key: k2 }'),
    at: '6:16',
    key: 'upstreams.a.headers.API-Key',
    message: /a credential, which can't be combined with auth/,
  },
  {
    what: 'Azure without any credential',
    lines: upstream('kind: openai', azure),
    at: '4:5',
    key: 'upstreams.a.azure',
    message: /requires apiKey or auth/,
  },
  {
    what: 'Azure with a kind that it does not serve',
    lines: upstream('kind: gemini', azure, 'apiKey: k'),
    at: '4:5',
    key: 'upstreams.a.azure',
    message: /isn't supported for this kind/,
    remedy: /openai, openai-compatible, anthropic/,
  },
  {
    what: 'two places',
    lines: upstream('kind: openai', azure, 'aws: { region: eu-central-1 }', 'apiKey: k'),
    at: '5:5',
    key: 'upstreams.a.aws',
    message: /can't be combined with azure/,
  },
  {
    what: 'a dated address of Azure with responses',
    lines: upstream('kind: openai', 'azure: { resource: contoso, apiVersion: 2024-10-21 }', 'apiKey: k'),
    at: '4:33',
    key: 'upstreams.a.azure.apiVersion',
    message: /can't be combined with the protocol responses/,
  },
  {
    what: 'a dated address of Azure for Claude',
    lines: upstream('kind: anthropic', 'azure: { resource: contoso, apiVersion: 2024-10-21 }', 'apiKey: k'),
    at: '4:33',
    key: 'upstreams.a.azure.apiVersion',
    message: /isn't supported for kind anthropic/,
  },
  {
    what: 'entra without a credential',
    lines: upstream('kind: openai', azure, entra()),
    at: '5:13',
    key: 'upstreams.a.auth.type',
    message: /requires a credential/,
  },
  {
    what: 'two credentials of entra',
    lines: upstream('kind: openai', azure, entra('tenantId: t', 'clientId: c', 'clientSecret: s', 'managedIdentity: true')),
    at: '5:69',
    key: 'upstreams.a.auth.managedIdentity',
    message: /can't be combined with clientSecret/,
  },
  {
    what: 'a secret of entra without its tenant',
    lines: upstream('kind: openai', azure, entra('clientId: c', 'clientSecret: s')),
    at: '5:5',
    key: 'upstreams.a.auth.tenantId',
    message: /is missing/,
  },
  {
    what: 'an authority that is no private address',
    lines: upstream('kind: openai', azure, entra('tenantId: t', 'clientId: c', 'clientSecret: s', 'authority: http://a.example')),
    at: '5:69',
    key: 'upstreams.a.auth.authority',
    message: /must start with https/,
  },
  {
    what: 'access tokens to an address without TLS',
    lines: upstream('kind: openai', 'baseUrl: http://proxy.example/v1', entra('managedIdentity: true')),
    at: '4:5',
    key: 'upstreams.a.baseUrl',
    message: /must start with https/,
  },
  {
    what: 'an address that hands out credentials',
    lines: upstream('kind: openai', 'baseUrl: http://169.254.169.254/v1', 'apiKey: k'),
    at: '4:5',
    key: 'upstreams.a.baseUrl',
    message: /returns credentials/,
  },
];
