/** Collects remarks about settings that an import couldn't convert, with their place in the file. */

import type { Fields } from './fields.ts';

interface Remark {
  /** Position in the imported file, such as `model_list[2].litellm_params.rpm`. */
  readonly where: string;
  readonly message: string;
}

/** Settings for modelgate.yaml, and remarks about settings that weren't imported. */
export interface Imported {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly remarks: readonly Remark[];
}

export class Remarks {
  readonly list: Remark[] = [];

  add(where: string, message: string): void {
    this.list.push({ where, message });
  }

  /** Returns the setting for models without prices, and adds a remark about it. `missing`: the prices that the file doesn't have. */
  turnOffBilling(models: readonly Fields[], missing: string): { readonly billing?: 'off' } {
    const unpriced = models.filter((model) => !('prices' in model)).map(({ id }) => String(id));
    if (unpriced.length === 0) return {};
    this.add(
      'billing',
      `is 'off' because the file has no ${missing} for ${unpriced.join(', ')}. To charge for calls, add their prices and remove 'billing'`,
    );
    return { billing: 'off' };
  }
}
