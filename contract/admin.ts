/** The operator's contract: a router of its own under `/admin/v1`, with the same body and table of errors as the callers' (product: operators). */
import { initContract } from '@ts-rest/core';
import { accountRoutes } from './admin/accounts.ts';
import { configurationRoutes } from './admin/configuration.ts';
import { explanationRoutes } from './admin/explanations.ts';
import { keyRoutes } from './admin/keys.ts';
import { moneyRoutes } from './admin/money.ts';
import { operatorRoutes } from './admin/operators.ts';
import { requestRoutes } from './admin/requests.ts';
import { ruleRoutes } from './admin/rules.ts';
import { usageRoutes } from './admin/usage.ts';
import { ErrorBody } from './errors.ts';

/** What an operator's call can be refused with. */
export const adminErrorResponses = {
  400: ErrorBody,
  401: ErrorBody,
  404: ErrorBody,
  405: ErrorBody,
  408: ErrorBody,
  409: ErrorBody,
  413: ErrorBody,
  415: ErrorBody,
  431: ErrorBody,
  500: ErrorBody,
  503: ErrorBody,
} as const;

export const adminContract = initContract().router(
  {
    ...accountRoutes,
    ...keyRoutes,
    ...moneyRoutes,
    ...ruleRoutes,
    ...usageRoutes,
    ...operatorRoutes,
    ...explanationRoutes,
    ...requestRoutes,
    ...configurationRoutes,
  },
  { pathPrefix: '/admin/v1', strictStatusCodes: true, commonResponses: adminErrorResponses },
);
export type AdminContract = typeof adminContract;
