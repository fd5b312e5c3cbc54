/** The console's calls to the admin API. */
import { routes } from 'virtual:routes/admin';
import type { AdminContract } from '../../../../contract/admin/index.ts';
import { createCall } from '../data/call.ts';
import { openApi } from '../data/queries.ts';

export const { call, useRead, useChange } = openApi(createCall<AdminContract>(routes));
