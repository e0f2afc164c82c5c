/** Reports whether an If-None-Match header names an ETag: RFC 9110, section 13.1.2. */
export function matchesEtag(header: string | null, etag: string): boolean {
  const tags = header?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return tags.includes(etag) || tags.includes('*');
}
