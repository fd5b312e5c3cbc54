/** The portal API: a separate router under `/portal/v1`, for key owners. It accepts only the cookie from their sign-in, never a key. */
import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { Balance } from '../admin/accounts.ts';
import { ExplainedSubscription } from '../admin/explanations.ts';
import { Time } from '../admin/fields.ts';
import { ExplainedCap } from '../admin/spending-caps.ts';
import { createTypeField } from '../shared/descriptions.ts';
import { createResponses, defineMetadata } from './answers.ts';
import { portalEstimate } from './estimate.ts';
import { portalKeys } from './keys.ts';
import { portalReads } from './reads.ts';

const secret = z.string().min(1).max(200);
const keySignIn = z
  .strictObject({ key: secret.describe('An API key of an account.') })
  .meta({ id: 'PortalKeySignIn', description: 'Signs in with an API key.' });
const tokenSignIn = z
  .strictObject({ setup_token: secret.describe('The token of a setup link. It works once, within 15 minutes.') })
  .meta({ id: 'PortalSetupSignIn', description: 'Signs in with the setup link printed on first start.' });
export const PortalSignIn = z.union([keySignIn, tokenSignIn]).meta({
  id: 'PortalSignIn',
  description: 'Either an API key, or the token of a setup link.',
  examples: [{ key: 'mg-0aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA1bC3dE5fG7hI9jK2' }],
});
export type PortalSignIn = z.infer<typeof PortalSignIn>;

const PortalKey = z
  .object({
    id: z.string().describe("The ID of the key, `key_…`. It isn't a secret."),
    name: z.string().describe('The name of the key.'),
    last_four: z.string().describe('The last four characters of the key, to recognize it.'),
    expires_at: Time.nullable().describe('When the key expires. Null if it never expires.'),
  })
  .meta({ id: 'PortalKey', description: "The key that was used to sign in. The secret isn't included." });
const PortalAccount = z
  .object({
    id: z.string().describe('The ID of the account.'),
    name: z.string().describe('The name of the account.'),
    group: z.string().describe('The group of the account, which determines the models it can call and their prices.'),
  })
  .meta({ id: 'PortalAccount', description: 'The account that owns the key.' });

export const PortalSession = z
  .object({
    id: z.string().describe("The ID of the session, `sess_…`. It isn't a secret."),
    object: createTypeField('portal_session'),
    key: PortalKey.describe('The key that was used to sign in.'),
    account: PortalAccount.describe('The account that owns the key.'),
    balance: Balance.nullable().describe('The balance of the account. Null when billing is off.'),
    spending_caps: z
      .array(ExplainedCap)
      .describe('The spending caps that calls with the key count toward, with the amount left. Empty if none, or when billing is off.'),
    subscription: ExplainedSubscription.nullable().describe('The subscription that pays for calls. Null if none does.'),
    issuer: z.string().nullable().describe('Who issues the monthly statements, as configured in `pages.issuer`. Null if not configured.'),
    base_url: z.string().describe('The base URL for API clients. It ends in `/v1`.'),
    created_at: Time.describe('When the session was created.'),
    expires_at: Time.describe(
      'When the session ends: 12 hours after sign-in. It ends earlier after an hour of inactivity, or when its key stops working.',
    ),
  })
  .meta({ id: 'PortalSession', description: 'A portal session, with the data of the first page.' });
export type PortalSession = z.infer<typeof PortalSession>;

export const EndedPortalSession = z
  .object({ object: createTypeField('ended_session'), id: z.string().describe('The ID of the session that ended.') })
  .meta({ id: 'EndedPortalSession', description: 'A session that has ended.' });

export const portalContract = initContract().router(
  {
    createSession: {
      method: 'POST',
      path: '/portal/v1/session',
      body: PortalSignIn,
      responses: createResponses('createSession', PortalSession),
      summary: 'Sign in',
      description:
        'Signs in with an API key or a setup link. The response sets the cookie `__Host-modelgate-portal`, which authenticates later calls. Calls other than GET must also have the header `x-modelgate-console: 1` and, if they have a body, the content type `application/json`. They must come from a page of the portal. After ten failed sign-ins from one address within a minute, the portal returns 429.',
      metadata: defineMetadata({ tag: 'Session', isPublic: true }),
    },
    getSession: {
      method: 'GET',
      path: '/portal/v1/session',
      responses: createResponses('getSession', PortalSession),
      summary: 'Get the session',
      description: 'Retrieves the session: the key, the account, and the amount left to spend.',
      metadata: defineMetadata({ tag: 'Session' }),
    },
    endSession: {
      method: 'DELETE',
      path: '/portal/v1/session',
      body: null,
      responses: createResponses('endSession', EndedPortalSession),
      summary: 'Sign out',
      description: 'Ends the session and deletes its cookie.',
      metadata: defineMetadata({ tag: 'Session' }),
    },
    ...portalReads,
    ...portalKeys,
    ...portalEstimate,
  },
  { strictStatusCodes: true },
);
export type PortalContract = typeof portalContract;
