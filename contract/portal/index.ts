/** The portal's API: a router of its own under `/portal/v1`, for the holder of a key who has signed in with it. It takes a cookie, and never a key. */
import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { Balance } from '../admin/accounts.ts';
import { ExplainedCap, ExplainedSubscription } from '../admin/explanations.ts';
import { Time } from '../admin/fields.ts';
import { kind } from '../shared/descriptions.ts';
import { answers, metadata } from './answers.ts';
import { portalEstimate } from './estimate.ts';
import { portalKeys } from './keys.ts';
import { portalReads } from './reads.ts';

const secret = z.string().min(1).max(200);
const byKey = z
  .strictObject({ key: secret.describe('The key of a caller.') })
  .meta({ id: 'PortalKeySignIn', description: 'Signs in with the key of a caller.' });
const byToken = z
  .strictObject({ setup_token: secret.describe('The token of a setup link. It works once, within 15 minutes.') })
  .meta({ id: 'PortalSetupSignIn', description: 'Signs in with the setup link that the first start prints.' });
export const PortalSignIn = z.union([byKey, byToken]).meta({
  id: 'PortalSignIn',
  description: 'What the holder of a key signs in with.',
  examples: [{ key: 'mg-0aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA1bC3dE5fG7hI9jK2' }],
});
export type PortalSignIn = z.infer<typeof PortalSignIn>;

const PortalKey = z
  .object({
    id: z.string().describe('Id of the key, `key_…`. It is no secret.'),
    name: z.string().describe('Its name, for people.'),
    last_four: z.string().describe('The last four characters of the key, to recognise it.'),
    expires_at: Time.nullable().describe('When the key expires. Null: never.'),
  })
  .meta({ id: 'PortalKey', description: 'The key that the session stands for, without the key itself.' });
const PortalAccount = z
  .object({
    id: z.string().describe('Id of the account.'),
    name: z.string().describe('Its name.'),
    group: z.string().describe('Its group, which determines the models that it may call and their prices.'),
  })
  .meta({ id: 'PortalAccount', description: 'The account that owns the key.' });

export const PortalSession = z
  .object({
    id: z.string().describe('Id of the session, `sess_…`. It is no secret.'),
    object: kind('portal_session'),
    key: PortalKey.describe('The key that the session stands for.'),
    account: PortalAccount.describe('The account of the key.'),
    balance: Balance.nullable().describe('Money of the account. Null when billing is off.'),
    spending_cap: ExplainedCap.nullable().describe('What the key may still spend. Null: the key has no cap, or billing is off.'),
    subscription: ExplainedSubscription.nullable().describe('The subscription that pays now. Null: none does.'),
    base_url: z.string().describe('The base URL for clients; it ends in `/v1`.'),
    created_at: Time.describe('When the holder signed in.'),
    expires_at: Time.describe(
      'When the session ends, 12 hours after the sign-in; it ends earlier after an hour without a call, or with its key.',
    ),
  })
  .meta({ id: 'PortalSession', description: 'A session of the portal, with what its first page shows.' });
export type PortalSession = z.infer<typeof PortalSession>;

export const EndedPortalSession = z
  .object({ object: kind('ended_session'), id: z.string().describe('Id of the session that was ended.') })
  .meta({ id: 'EndedPortalSession', description: 'A session that was ended.' });

export const portalContract = initContract().router(
  {
    createSession: {
      method: 'POST',
      path: '/portal/v1/session',
      body: PortalSignIn,
      responses: answers('createSession', PortalSession),
      summary: 'Sign in',
      description:
        'The answer sets the cookie `__Host-modelgate-portal`, which is all that later calls need. A call that changes something also needs the header `x-modelgate-console: 1`, a body of `application/json` if any, and must come from the portal itself. Ten failures of one address within a minute are followed by 429.',
      metadata: metadata({ tag: 'Session', isPublic: true }),
    },
    getSession: {
      method: 'GET',
      path: '/portal/v1/session',
      responses: answers('getSession', PortalSession),
      summary: 'Get the session',
      description: 'Who has signed in, and what is left to spend.',
      metadata: metadata({ tag: 'Session' }),
    },
    endSession: {
      method: 'DELETE',
      path: '/portal/v1/session',
      body: null,
      responses: answers('endSession', EndedPortalSession),
      summary: 'Sign out',
      description: 'Ends the session and deletes its cookie.',
      metadata: metadata({ tag: 'Session' }),
    },
    ...portalReads,
    ...portalKeys,
    ...portalEstimate,
  },
  { strictStatusCodes: true },
);
export type PortalContract = typeof portalContract;
