/** Replaces @ts-rest/core in the published contract, which needs only `router`: it returns the routes, and adds the common responses to each. */

interface Route {
  readonly responses: Readonly<Record<number, unknown>>;
}
interface RouterOptions {
  readonly strictStatusCodes?: boolean;
  readonly commonResponses?: Readonly<Record<number, unknown>>;
}

function router(routes: Readonly<Record<string, Route>>, { strictStatusCodes, commonResponses, ...others }: RouterOptions = {}) {
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new TypeError(`the router does not know the option ${unknown}`);
  const complete = ({ responses, ...route }: Route) => ({
    ...route,
    ...(strictStatusCodes !== undefined && { strictStatusCodes }),
    responses: { ...commonResponses, ...responses },
  });
  return Object.fromEntries(Object.entries(routes).map(([name, route]) => [name, complete(route)]));
}

/** Has the name of ts-rest's function, because the contract imports it by that name. */
export const initContract = () => ({ router });
