/** The port of the admin API that nobody chose: where another program has it, any free one does. */
export const STANDARD_ADMIN_PORT = 8081;
