/** What operators write by mistake about single sign-on; part of the table of `rejected.test.ts`. */
import type { Mistake } from './mistakes.ts';

const complete = {
  publicUrl: 'https://console.example',
  issuer: 'https://login.example',
  map: '{ ops: admin }',
};

/** The file with one line other than it should be; an empty value leaves the line out. */
function linesWith(changed: Partial<typeof complete>): readonly string[] {
  const { publicUrl, issuer, map } = { ...complete, ...changed };
  return [
    'admin:',
    ...(publicUrl === '' ? [] : [`  publicUrl: ${publicUrl}`]),
    '  oidc:',
    `    issuer: ${issuer}`,
    '    clientId: modelgate',
    '    clientSecret: hush',
    `    roles: { claim: groups, map: ${map} }`,
  ];
}

export const oidcMistakes: readonly Mistake[] = [
  {
    what: 'single sign-on without the address of the console',
    lines: linesWith({ publicUrl: '' }),
    at: '1:1',
    key: 'admin.publicUrl',
    message: /is missing; admin\.oidc requires/,
  },
  {
    what: 'single sign-on over plain HTTP',
    lines: linesWith({ publicUrl: 'http://console.example' }),
    at: '2:3',
    key: 'admin.publicUrl',
    message: /must start with https/,
  },
  {
    what: 'a provider over plain HTTP',
    lines: linesWith({ issuer: 'http://login.example' }),
    at: '4:5',
    key: 'admin.oidc.issuer',
    message: /must start with https/,
  },
  {
    what: 'the address of the discovery document',
    lines: linesWith({ issuer: 'https://login.example/.well-known/openid-configuration' }),
    at: '4:5',
    key: 'admin.oidc.issuer',
    message: /remove \/\.well-known/,
  },
  {
    what: 'a role that there is not',
    lines: linesWith({ map: '{ ops: owner }' }),
    at: '7:36',
    key: 'admin.oidc.roles.map.ops',
    message: /./,
  },
  { what: 'a map without groups', lines: linesWith({ map: '{}' }), at: '7:29', key: 'admin.oidc.roles.map', message: /at least one group/ },
];
