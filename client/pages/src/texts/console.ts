/** Texts of the console's frame. */
export const consoleTexts = {
  subtitle: 'Console',
  hits: { request: 'request', key: 'key', account: 'account', model: 'model' },
} as const;
