/** The virtual modules of build/contract-modules.ts. `unknown`, because a declaration here can't import the contract. data/call.ts adds the types. */
declare module 'virtual:routes/admin' {
  export const routes: unknown;
}
declare module 'virtual:routes/portal' {
  export const routes: unknown;
}
declare module 'virtual:routes/playground' {
  export const routes: unknown;
}
declare module 'virtual:routes/public' {
  export const routes: unknown;
}
declare module 'virtual:browser' {
  export const CONSOLE_HEADER: string;
  export const ERROR_CODES: readonly string[];
}
