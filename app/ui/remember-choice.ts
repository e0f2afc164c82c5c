const YEAR_SECONDS = 31_536_000;

/**
 * Keeps a choice for a year in a cookie, which the server reads: nothing flashes.
 * @param path pages that it counts for, with all below
 */
export function rememberChoice(name: string, value: string, path = '/'): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser we serve
  document.cookie = `${name}=${value}; path=${path}; max-age=${YEAR_SECONDS}; samesite=lax`;
}
