/** Texts of the sign-in pages. */
export const signIn = {
  submit: 'Sign in',
  insecure: "This browser keeps your session only over HTTPS or on the gateway's machine. Use HTTPS, or open this page on that machine.",
  operator: {
    title: 'Sign in to the console',
    label: 'Admin key',
    hint: "Create one with `modelgate admin-key create`, or use the link printed on first start. It's exchanged for an 8-hour session and not stored.",
    setup: 'Signing in with the one-time link',
    signOn: (label: string) => `Sign in with ${label}`,
    or: 'or use an admin key',
    outcomes: {
      failed: 'Single sign-on failed. Try again. The audit log shows the reason.',
      cancelled: 'Single sign-on was canceled at the identity provider.',
      no_role: 'Your identity provider recognized you, but none of your groups has a role here. Ask your gateway administrator for access.',
      unavailable: "The identity provider isn't responding. Try again in a minute, or sign in with an admin key.",
      too_many: 'Too many failed sign-ins from your address. Try again in a minute.',
    },
  },
  portal: {
    title: 'Sign in to the portal',
    label: 'API key',
    hint: "The key that you use for API calls. It's exchanged for a 12-hour session and not stored.",
    catalog: 'See models and prices',
    setup: 'Signing in with the one-time link',
  },
} as const;
