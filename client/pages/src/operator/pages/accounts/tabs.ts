/** What the panel of an account shows below its facts; it is in the address. */
import { createEnumField } from '../../../data/url-state.ts';

export const tabs = ['statement', 'subscriptions'] as const;
export const tabFields = { tab: createEnumField(tabs, 'statement') } as const;
