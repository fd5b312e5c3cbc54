/** The playground's URLs, from its contract's routes. */
import { routes } from 'virtual:routes/playground';
import type { PlaygroundContract, PlaygroundName } from '../../../../../../contract/portal/playground.ts';
import { createCall } from '../../../data/call.ts';
import { openApi } from '../../../data/queries.ts';
import { getOperation } from './code.ts';
import type { Fields, Tab } from './frames.ts';

// `as`: build/contract-modules.ts generates the module from this contract.
const known = routes as Readonly<Record<PlaygroundName, { readonly path: string }>>;

export const getPath = (tab: Tab, body: Fields): string => known[getOperation(tab, body)].path;
export const { useRead } = openApi(createCall<PlaygroundContract>(routes));
