/** Returns the code of an error of the system or of a library, such as `ENOENT`; undefined for anything else thrown. */
export function getErrorCode(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const { code }: Error & { readonly code?: unknown } = thrown;
  return typeof code === 'string' ? code : undefined;
}
