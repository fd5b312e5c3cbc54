/** Replaces @ts-rest/core in the published contract. The contract needs only `router`, which adds the common responses to each route. */

interface Route {
  readonly responses: Readonly<Record<number, unknown>>;
}
function router(
  routes: Readonly<Record<string, Route>>,
  {
    strictStatusCodes,
    commonResponses,
    ...others
  }: { strictStatusCodes?: boolean; commonResponses?: Readonly<Record<number, unknown>> } = {},
) {
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new TypeError(`the router does not know the option ${unknown}`);
  const complete = ({ responses, ...route }: Route) => ({
    ...route,
    ...(strictStatusCodes !== undefined && { strictStatusCodes }),
    responses: { ...commonResponses, ...responses },
  });
  return Object.fromEntries(Object.entries(routes).map(([name, route]) => [name, complete(route)]));
}

/** Keeps ts-rest's name, because the contract imports it by that name. */
export const initContract = () => ({ router });
