/** Texts of the console's frame. */
export const consoleTexts = {
  subtitle: 'Console',
  hits: { request: 'Request', key: 'Key', account: 'Account', model: 'Model' },
  noKeyEndsIn: (lastFour: string) => `No key ends in …${lastFour}`,
} as const;
