const PATH = '/api/uploads/';

export function uploadUrl(publicUrl: string, token: string): string {
  return publicUrl + PATH + token;
}

/** Extracts the token from a URL made by {@link uploadUrl}, whether or not the upload exists; null for other URLs. */
export function uploadTokenOf(publicUrl: string, url: string): string | null {
  const prefix = publicUrl + PATH;
  return url.startsWith(prefix) ? url.slice(prefix.length) : null;
}

/** Returns the key of the uploaded object, which it keeps as a job's input. */
export function uploadKey(token: string): string {
  return `inputs/uploads/${token}/input`;
}
