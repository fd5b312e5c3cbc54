/** The portal's calls to its API, and the catalog, which needs no session. */

import { routes as portalRoutes } from 'virtual:routes/portal';
import { routes as publicRoutes } from 'virtual:routes/public';
import type { Contract } from '../../../../contract/index.ts';
import type { PortalContract } from '../../../../contract/portal/index.ts';
import { createCall } from '../data/call.ts';
import type { Success } from '../data/contract-types.ts';
import { openApi } from '../data/queries.ts';

export const { call, useRead, useChange } = openApi(createCall<PortalContract>(portalRoutes));
export const { useRead: useReadPublic } = openApi(createCall<Pick<Contract, 'getCatalog'>>(publicRoutes));

export type Activity = Success<PortalContract['getActivity']>;
