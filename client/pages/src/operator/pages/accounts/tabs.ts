/** What the panel of an account shows below its facts; it is in the address. */
import { oneOf } from '../../../data/url-state.ts';

export const tabs = ['statement', 'subscriptions'] as const;
export const tabFields = { tab: oneOf(tabs, 'statement') } as const;
