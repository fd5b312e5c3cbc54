/** Sessions of the console: an operator signs in with an admin key or a setup token, and a cookie stands for the key from then on. */
import { z } from 'zod';
import { kind } from '../shared/descriptions.ts';
import { Id, listOf, PageQuery, Time } from './fields.ts';
import type { AdminMetadata } from './metadata.ts';
import { adminRoleNames } from './roles.ts';

const secret = z.string().min(1).max(200);
const byKey = z
  .strictObject({ admin_key: secret.describe('A key of an operator.') })
  .meta({ id: 'KeySignIn', description: 'Signs in with a key of an operator.' });
const byToken = z
  .strictObject({ setup_token: secret.describe('The token of a setup link. It works once, within 15 minutes.') })
  .meta({ id: 'SetupSignIn', description: 'Signs in with the setup link that the first start prints.' });
export const SignIn = z.union([byKey, byToken]).meta({
  id: 'SignIn',
  description: 'What an operator signs in with.',
  examples: [{ admin_key: 'mga-0aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA1bC3dE5fG7hI9jK2' }],
});
export type SignIn = z.infer<typeof SignIn>;

const sessionShape = {
  id: z.string().describe('Id of the session, `sess_…`. It is no secret.'),
  object: kind('session'),
  actor: z
    .string()
    .describe('Id of the admin key that the session stands for, or `oidc:` and the subject of an operator who came by single sign-on.'),
  name: z.string().describe('Name of that key or operator.'),
  created_at: Time.describe('When the operator signed in.'),
  expires_at: Time.describe(
    'When the session ends, 8 hours after the sign-in; it ends earlier after an hour without a call, or with its key.',
  ),
};
export const Session = z
  .object(sessionShape)
  .meta({ id: 'Session', description: 'A session of the console. Its secret is in the cookie alone.' });
export type Session = z.infer<typeof Session>;
export const SessionList = listOf('SessionList', 'Sessions of the console that have not ended, oldest first.', Session);

export const Caller = z
  .object({
    object: kind('caller'),
    actor: z
      .string()
      .nullable()
      .describe(
        'Id of the admin key, or `oidc:` and the subject of an operator who came by single sign-on, as the audit log names them. Null when nobody is signed in.',
      ),
    name: z.string().nullable().describe('Name of that key or operator. Null for the command line on the data folder.'),
    role: z
      .enum(adminRoleNames)
      .nullable()
      .describe('What the operator may do. An operation that needs more answers with 403. Null when nobody is signed in.'),
    session: Session.nullable().describe('The session of the call. Null when the call was made with the key itself.'),
    sign_in: z
      .object({
        oidc: z
          .string()
          .nullable()
          .describe(
            'What the button for single sign-on says; it leads to `/console/sign-in/oidc`. Null where `admin.oidc` is not configured.',
          ),
      })
      .describe('How operators can sign in, beside admin keys.'),
  })
  .meta({ id: 'Caller', description: 'Who calls this API.' });
export type Caller = z.infer<typeof Caller>;

export const EndedSession = z
  .object({
    object: kind('ended_session'),
    id: z.string().nullable().describe('Id of the session that was ended. Null when there was none.'),
  })
  .meta({ id: 'EndedSession', description: 'A session that was ended.' });

const SessionPath = z.object({ session_id: Id.describe('Id of the session, `sess_…`.') });
const metadata = { tag: 'Operators' } as const satisfies AdminMetadata;

export const sessionRoutes = {
  createSession: {
    method: 'POST',
    path: '/session',
    body: SignIn,
    responses: { 200: Session },
    summary: 'Sign in',
    description:
      'For browsers: the answer sets the cookie `__Host-modelgate-console`, which replaces the admin key in later calls. A call with the cookie that changes something also needs the header `x-modelgate-console: 1`, a body of `application/json` if any, and must come from the console itself. Where the listener is reached from other machines, `admin.publicUrl` must be set. Ten failures of one address within a minute are followed by 429.',
    metadata: { tag: 'Operators', isPublic: true } as const satisfies AdminMetadata,
  },
  getSession: {
    method: 'GET',
    path: '/session',
    responses: { 200: Caller },
    summary: 'Get the session',
    description:
      'Who calls, with a session or with an admin key. Without either, or with a session that has ended, `actor` is null: a sign-in page shows what there is in `sign_in`. A wrong admin key gets 401.',
    metadata: { tag: 'Operators', keyIsOptional: true } as const satisfies AdminMetadata,
  },
  endSession: {
    method: 'DELETE',
    path: '/session',
    body: null,
    responses: { 200: EndedSession },
    summary: 'Sign out',
    description: 'Ends the session of the call and deletes its cookie. A call with an admin key ends nothing.',
    metadata,
  },
  listSessions: {
    method: 'GET',
    path: '/sessions',
    query: PageQuery,
    responses: { 200: SessionList },
    summary: 'List sessions',
    description: 'Sessions of the console that have not ended, of all operators.',
    metadata,
  },
  revokeSession: {
    method: 'POST',
    path: '/sessions/:session_id/revoke',
    pathParams: SessionPath,
    body: null,
    responses: { 200: EndedSession },
    summary: 'Revoke a session',
    description: 'Ends a session of the console. Its next call gets 401.',
    metadata,
  },
} as const;
