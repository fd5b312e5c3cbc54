/** Texts of the console's frame. */
export const consoleTexts = {
  subtitle: 'Console',
  hits: { request: 'Request', key: 'Key', account: 'Account', model: 'Model' },
} as const;
