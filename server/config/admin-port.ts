/** The default port of the admin API: when another program uses it, any free port is taken. */
export const STANDARD_ADMIN_PORT = 8081;
