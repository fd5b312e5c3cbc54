/** The tabs of the account panel, which are in the URL. */
import { createEnumField } from '../../../data/url-state.ts';

export const tabs = ['statement', 'subscriptions'] as const;
export const tabFields = { tab: createEnumField(tabs, 'statement') } as const;
