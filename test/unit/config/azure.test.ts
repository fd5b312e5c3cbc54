/** What `azure` of an upstream fills in: the address by kind and version, and how requests authenticate; and what the file says itself goes before. */
import { describe, expect, test } from 'vitest';
import { getKeyHeaders, getKindHeaders } from '../../../server/config/key-headers.ts';
import { getTelemetryName } from '../../../server/config/providers.ts';
import { configureUpstream } from '../settings.ts';

const contoso = { resource: 'contoso' };

test.each([
  ['openai', contoso, 'https://contoso.openai.azure.com/openai/v1', 'api-key'],
  ['openai-compatible', contoso, 'https://contoso.openai.azure.com/openai/v1', 'api-key'],
  ['anthropic', contoso, 'https://contoso.services.ai.azure.com/anthropic/v1', 'x-api-key'],
  ['openai', { ...contoso, apiVersion: '2024-10-21' }, 'https://contoso.openai.azure.com/openai', 'api-key'],
  ['openai', { ...contoso, apiVersion: '2025-04-01-preview' }, 'https://contoso.openai.azure.com/openai', 'api-key'],
])('sends requests of %s at %o to %s, with the key in %s', (kind, azure, baseUrl, header) => {
  const upstream = configureUpstream({ kind, azure, apiKey: 'k', ...('apiVersion' in azure && { protocols: ['chat'] }) });
  expect(upstream.baseUrl).toBe(baseUrl);
  expect(getKeyHeaders(upstream, 'k')).toEqual({ [header]: 'k' });
  expect(getKindHeaders(upstream)).toEqual(kind === 'anthropic' ? { 'anthropic-version': '2023-06-01' } : {});
});

describe('the configuration', () => {
  test('overrides the address of Azure', () => {
    const baseUrl = 'https://contoso.openai.azure.us/openai/v1';
    expect(configureUpstream({ kind: 'openai', azure: contoso, apiKey: 'k', baseUrl }).baseUrl).toBe(baseUrl);
  });

  test('overrides the authentication of Azure', () => {
    const upstream = configureUpstream({ kind: 'anthropic', azure: contoso, apiKey: 'k', auth: { type: 'header', name: 'api-key' } });
    expect(getKeyHeaders(upstream, 'k')).toEqual({ 'api-key': 'k' });
  });
});

test.each([
  [{ kind: 'openai', azure: contoso }, 'azure.ai.openai'],
  [{ kind: 'anthropic', azure: contoso }, 'azure.ai.inference'],
  [{ kind: 'anthropic', aws: {} }, 'aws.bedrock'],
  [{ kind: 'gemini', google: {} }, 'gcp.vertex_ai'],
  [{ kind: 'gemini' }, 'gcp.gemini'],
] as const)('reports %o to telemetry as %s', (upstream, name) => {
  expect(getTelemetryName(upstream)).toBe(name);
});

test('gets tokens with the scope and authority of the public cloud, unless the file has others', () => {
  const identity = (more: object = {}) =>
    configureUpstream({ kind: 'openai', azure: contoso, auth: { type: 'entra', managedIdentity: true, ...more } });
  expect(identity().auth).toEqual({
    type: 'entra',
    managedIdentity: true,
    scope: 'https://ai.azure.com/.default',
    authority: 'https://login.microsoftonline.com',
  });
  const scope = 'https://cognitiveservices.azure.com/.default';
  expect(identity({ scope, authority: 'https://login.microsoftonline.us/' }).auth).toMatchObject({
    scope,
    authority: 'https://login.microsoftonline.us',
  });
});

test('sends another header than that of the kind to a provider that needs it, without Azure', () => {
  const upstream = configureUpstream({ kind: 'anthropic', baseUrl: 'https://claude.example/v1', apiKey: 'k', auth: { type: 'bearer' } });
  expect({ ...getKeyHeaders(upstream, 'k'), ...getKindHeaders(upstream) }).toEqual({
    authorization: 'Bearer k',
    'anthropic-version': '2023-06-01',
  });
});
