export async function assembleContract(_folder: string): Promise<void> {}
