/** The admin API: a separate router under `/admin/v1`, with the same error body and error table as the callers' API. */
import { initContract } from '@ts-rest/core';
import { type ErrorResponses, errorResponses } from '../shared/error-bodies.ts';
import { accountRoutes } from './accounts.ts';
import { activityRoutes } from './activity.ts';
import { alertRoutes } from './alerts.ts';
import { configurationRoutes } from './configuration.ts';
import { type AdminCode, type AdminOperation, adminErrors } from './errors.ts';
import { explanationRoutes } from './explanations.ts';
import { keyRoutes } from './keys.ts';
import { limitRoutes } from './limits.ts';
import type { AdminMetadata } from './metadata.ts';
import { modelRoutes } from './models.ts';
import { moneyRoutes } from './money.ts';
import { operatorRoutes } from './operators.ts';
import { overviewRoutes } from './overview.ts';
import { requestRoutes } from './requests.ts';
import { type AdminRole, adminRoles } from './roles.ts';
import { ruleRoutes } from './rules.ts';
import { searchRoutes } from './search.ts';
import { sessionRoutes } from './session.ts';
import { upstreamRoutes } from './upstreams.ts';
import { usageRoutes } from './usage.ts';

interface Answered {
  readonly metadata: AdminMetadata;
  readonly responses: object;
}
/** The routes with their roles and errors; a response that a route declares itself takes precedence. */
type WithErrors<Routes extends Readonly<Record<AdminOperation, Answered>>> = {
  readonly [Name in AdminOperation]: Omit<Routes[Name], 'responses' | 'metadata'> & {
    readonly metadata: Routes[Name]['metadata'] & { readonly role: AdminRole };
    readonly responses: Routes[Name]['responses'] & Omit<ErrorResponses<AdminCode<Name>>, keyof Routes[Name]['responses']>;
  };
};

function withErrors<const Routes extends Readonly<Record<AdminOperation, Answered>>>(routes: Routes): WithErrors<Routes> {
  // `as`: the keys of the object are exactly those of its type.
  const names = Object.keys(adminErrors) as AdminOperation[];
  const answered = names.map((name) => {
    const responses = { ...errorResponses(`admin_${name}`, adminErrors[name]), ...routes[name].responses };
    const metadata = { ...routes[name].metadata, role: adminRoles[name] };
    return [name, { ...routes[name], metadata, responses }] as const;
  });
  // `as`: built entry by entry as the type says.
  return Object.fromEntries(answered) as unknown as WithErrors<Routes>;
}

export const adminContract = initContract().router(
  withErrors({
    ...accountRoutes,
    ...keyRoutes,
    ...moneyRoutes,
    ...ruleRoutes,
    ...modelRoutes,
    ...usageRoutes,
    ...operatorRoutes,
    ...explanationRoutes,
    ...requestRoutes,
    ...activityRoutes,
    ...overviewRoutes,
    ...alertRoutes,
    ...upstreamRoutes,
    ...configurationRoutes,
    ...limitRoutes,
    ...searchRoutes,
    ...sessionRoutes,
  }),
  { pathPrefix: '/admin/v1', strictStatusCodes: true },
);
export type AdminContract = typeof adminContract;
