/** Texts of the sign-in pages. */
export const signIn = {
  submit: 'Sign in',
  insecure: 'This browser keeps the session only over HTTPS, or on the machine of the gateway: use HTTPS, or open the page there.',
  operator: {
    title: 'Sign in to the console',
    label: 'Admin key',
    hint: 'From `modelgate admin-key create`, or the link that the first start prints. It is exchanged for a session of 8 hours and not kept.',
    setup: 'Signing in with the link of the first start',
    signOn: (label: string) => `Sign in with ${label}`,
    or: 'or with a key',
    outcomes: {
      failed: 'The single sign-on failed. Try again; the audit log says why it was rejected.',
      cancelled: 'The single sign-on was cancelled at the identity provider.',
      no_role: "You're signed in at the identity provider, but none of your groups has a role here. Ask your gateway administrator.",
      unavailable: 'The identity provider does not answer. Try again in a minute, or sign in with an admin key.',
      too_many: 'Too many failed sign-ins from your address. Wait a minute.',
    },
  },
  portal: {
    title: 'Sign in to the portal',
    label: 'API key',
    hint: 'The key that you call models with. It is exchanged for a session of 12 hours and not kept.',
    catalog: 'Models and prices',
    setup: 'Signing in with the link of the first start',
  },
} as const;
