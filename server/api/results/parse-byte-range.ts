import type { ByteRange } from '../../base/context/storage.ts';

/**
 * Parses a Range header for a body of `bytes` (RFC 9110, section 14).
 * @returns null to send the whole body: no header, not bytes, malformed, or several ranges, which may be ignored
 */
export function parseByteRange(header: string | null, bytes: number): ByteRange | 'unsatisfiable' | null {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? [];
  if (first === '' && last === '') return null;
  if (first === '') {
    const start = Math.max(0, bytes - Number(last));
    return start < bytes ? { start, end: bytes - 1 } : 'unsatisfiable';
  }
  const start = Number(first);
  const end = last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1);
  if (last !== '' && Number(last) < start) return null;
  return start < bytes ? { start, end } : 'unsatisfiable';
}
