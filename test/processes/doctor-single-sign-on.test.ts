import { describe, expect, onTestFinished, test } from 'vitest';
import { openIdentityProvider } from '../fakes/identity-provider.ts';
import { diagnose, expectFault } from './doctor-stage.ts';

async function openIssuer() {
  const publicUrl = 'https://console.example';
  const client = { clientId: 'modelgate', clientSecret: 'a-client-secret' };
  const provider = await openIdentityProvider({ ...client, redirectUri: `${publicUrl}/console/sign-in/oidc/callback` });
  onTestFinished(() => provider.close());
  const oidc = { issuer: provider.issuer, ...client, roles: { claim: 'groups', map: { operators: 'admin' } } };
  return { provider, settings: { admin: { enabled: false, publicUrl, oidc } } };
}

test('checks the public data of an identity provider, without signing in', async () => {
  const { provider, settings } = await openIssuer();
  const { code, parts, text } = await diagnose({ settings });
  expect({ code, ...parts['single sign-on'] }).toMatchObject({
    code: 0,
    state: 'ok',
    detail: expect.stringMatching(/^localhost:\d+: discovery \d.* ms, 1 signing keys in \d/),
  });
  expect(provider.asked).toEqual(['/.well-known/openid-configuration', '/keys']);
  expect(text).not.toContain('a-client-secret');
});

describe('a broken identity provider', () => {
  test("reports a fault when it's down, while admin keys go on working", async () => {
    const { provider, settings } = await openIssuer();
    provider.state = 'failing';
    expect(await expectFault('single sign-on', { settings })).toMatchObject({ hint: expect.stringContaining('Admin keys still work.') });
    await provider.close();
    expect((await expectFault('single sign-on', { settings })).detail).toMatch(/no response \(connect ECONNREFUSED/);
  });

  test('reports a fault of the setting when its issuer has another name', async () => {
    const { provider, settings } = await openIssuer();
    provider.spoilMetadata = (metadata) => Object.assign(metadata, { issuer: 'https://another.example' });
    expect((await expectFault('single sign-on', { settings })).hint).toContain('admin.oidc.issuer');
  });

  test('reports a warning without PKCE S256', async () => {
    const { provider, settings } = await openIssuer();
    provider.spoilMetadata = (metadata) => Object.assign(metadata, { code_challenge_methods_supported: ['plain'] });
    expect((await diagnose({ settings })).parts['single sign-on']).toMatchObject({ state: 'warning' });
  });
});
