/** Path of the API console: a document of its own, which no soft navigation reaches. */
export const CONSOLE_PATH = '/docs/console';
