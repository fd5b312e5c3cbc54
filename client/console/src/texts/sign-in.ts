/** Texts of the sign-in pages. */
export const signIn = {
  submit: 'Sign in',
  insecure: 'This browser keeps the session only over HTTPS, or on the machine of the gateway: use HTTPS, or open the page there.',
  operator: {
    title: 'Sign in to the console',
    label: 'Admin key',
    hint: 'From `modelgate admin-key create`, or the link that the first start prints. It is exchanged for a session of 8 hours and not kept.',
    setup: 'Signing in with the link of the first start',
  },
  portal: {
    title: 'Sign in to the portal',
    label: 'API key',
    hint: 'The key that you call models with. It is exchanged for a session of 12 hours and not kept.',
    catalog: 'Models and prices',
    setup: 'Signing in with the link of the first start',
  },
} as const;
