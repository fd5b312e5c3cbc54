/** Stands in for @ts-rest/core in the published contract, which needs its router alone: the routes as they are, each with the responses that all have in common. */

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

/** Under the name by which the contract asks for it. */
export const initContract = () => ({ router });
