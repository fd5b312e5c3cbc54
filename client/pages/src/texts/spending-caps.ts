/** Texts of spending caps, in the console and the portal. */
export const spendingCaps = {
  title: 'Spending caps',
  fields: 'Spending caps ($)',
  hint: 'Spend counts from the start of the period (UTC), also from before you set the cap. Leave blank for no cap.',
  typed: { day: 'Per day', week: 'Per week', month: 'Per month', never: 'In total' },
  used: 'Spending cap used',
  usedOf: (used: string, cap: string, period: string) => `${used} of ${cap} ${period}`,
  periods: { day: 'per day', week: 'per week', month: 'per month', never: 'in total' },
  scopes: { key: 'This key', creator: 'The key that created it', account: 'The account' },
  none: 'None',
} as const;
