/**
 * Node's HTTP module. Importing it by its name evaluates all its exports, among them a second copy of undici, which takes 20 ms of the start and
 * memory that nothing uses.
 */
export const nodeHttp = process.getBuiltinModule('node:http');
