/**
 * Returns a path for a log, without what gives access: a reader of the URL for the parts of an upload could send them.
 */
export function redactPath(path: string): string {
  return path.replace(/(\/v2\/+uploads\/+).+/, '$1[redacted]');
}
