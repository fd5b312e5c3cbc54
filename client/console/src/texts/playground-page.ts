/** What the navigation says of the playground: apart from its other texts, which are loaded with it. */
export const playgroundPage = { title: 'Playground' } as const;
