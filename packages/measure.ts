/** What the packed gateway costs: weight, start, help and idle memory, each beside what it may be. */
export async function measureGateway(_folder: string): Promise<readonly string[]> {
  return [];
}
