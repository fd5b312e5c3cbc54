/** Texts of the portal's frame. */
export const portalTexts = {
  subtitle: 'Portal',
  overview: 'Overview',
} as const;
