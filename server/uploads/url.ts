const PATH = '/api/uploads/';

export function uploadUrl(publicUrl: string, token: string): string {
  return publicUrl + PATH + token;
}

/** The token in a URL that was made by {@link uploadUrl}, whether or not there is such an upload; null for other URLs. */
export function uploadTokenOf(publicUrl: string, url: string): string | null {
  const prefix = publicUrl + PATH;
  return url.startsWith(prefix) ? url.slice(prefix.length) : null;
}

/** Where the uploaded object lies. The job that takes it over leaves it there. */
export function uploadKey(token: string): string {
  return `inputs/uploads/${token}/input`;
}
