/** Texts of the portal's frame, and those that its pages share. */
export const portalTexts = {
  subtitle: 'Portal',
  overview: 'Overview',
} as const;

/** Whose figures a page shows. */
export const scope = {
  label: 'Figures for',
  account: 'Whole account',
  key: 'This key',
  ofAccount: (account: string) => `All keys of account ${account}`,
  ofKey: (key: string) => `Only the key you signed in with: ${key}`,
} as const;
