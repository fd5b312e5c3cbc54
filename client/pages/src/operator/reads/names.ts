/** Names of accounts and keys by ID, for filters: two calls that all pages share. */

import type { Suggestion } from '../../kit/combobox.tsx';
import { useRead } from '../api.ts';

/** `acme / production`, because keys of many accounts have the same name. */
export const formatKeyName = ({ account, name }: { readonly account: { readonly name: string }; readonly name: string }): string =>
  `${account.name} / ${name}`;

/** Others are shown by ID. */
const MOST = 1_000;

export interface Names {
  readonly getAccountName: (id: string) => string;
  readonly getKeyName: (id: string) => string;
  readonly accounts: readonly Suggestion[];
  readonly keys: readonly Suggestion[];
}

/** Without `isEnabled`, IDs are their own names. */
export function useNames(isEnabled: boolean): Names {
  const accounts = useRead('listAccounts', { query: { limit: MOST } }, { isEnabled });
  const keys = useRead('listKeys', { query: { limit: MOST } }, { isEnabled });
  const accountRows = accounts.data?.data ?? [];
  const keyRows = keys.data?.data ?? [];
  return {
    getAccountName: (id) => accountRows.find((account) => account.id === id)?.name ?? id,
    getKeyName: (id) => {
      const key = keyRows.find((one) => one.id === id);
      return key === undefined ? id : formatKeyName(key);
    },
    accounts: accountRows.map(({ id, name }) => ({ value: id, label: name })),
    keys: keyRows.map((key) => ({ value: key.id, label: formatKeyName(key), hint: `…${key.last_four}` })),
  };
}
