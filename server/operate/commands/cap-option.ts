/** The option `--cap`: spending caps of a key or an account, such as `5/day,50/month`. */
import { InvalidArgumentError } from 'commander';
import type { SpendingCap } from '../../../contract/admin/spending-caps.ts';
import { CAP_PERIODS } from '../../money/spending-cap.ts';
import type { OptionValue } from './option-values.ts';

const isPeriod = (text: string): text is SpendingCap['period'] => CAP_PERIODS.some((period) => period === text);

function parseCap(text: string): SpendingCap {
  const [amount = '', period = 'never', ...extra] = text.trim().split('/');
  if (!/^\d{1,9}(\.\d{1,6})?$/.test(amount) || !isPeriod(period) || extra.length > 0)
    throw new InvalidArgumentError('Enter dollars and a period such as 20/month (day, week, month), several separated by commas, or none.');
  return { amount, period };
}

const parseCaps = (text: string): OptionValue<readonly SpendingCap[]> => ({ value: text === 'none' ? [] : text.split(',').map(parseCap) });

export const capOption = [
  '--cap <caps>',
  'spending caps per day, week, or month, such as 5/day,50/month; 20 for a total; or none',
  parseCaps,
] as const;

/** `5.000000 per day (1.250000 used)`. Without what is used if that is unknown. */
export const formatCaps = (caps: readonly (SpendingCap & { readonly used?: string })[]): string =>
  caps
    .map(({ amount, period, used }) => {
      const cap = period === 'never' ? amount : `${amount} per ${period}`;
      return used === undefined ? cap : `${cap} (${used} used)`;
    })
    .join(', ') || 'none';
