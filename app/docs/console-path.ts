/** Path of the API console: a separate document, which no soft navigation reaches. */
export const CONSOLE_PATH = '/docs/console';
