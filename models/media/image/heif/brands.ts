import type { ByteWindow } from '../../bytes/byte-window.ts';
import { readFourCc } from '../../bytes/text.ts';

const FTYP_BYTES_MAX = 64;
/** Brands of files with an image sequence: AV1 Image File Format, 6.3; ISO 23008-12, 10.2 and annex B. */
const SEQUENCE_BRANDS: ReadonlySet<string> = new Set(['avis', 'msf1', 'hevc', 'hevx']);

/**
 * Reports whether a file starts as an AVIF: AV1 Image File Format, 3.
 * @param head its first bytes, a character for each
 */
export function hasAvifBrand(head: string): boolean {
  return readBrands(head).some((brand) => brand === 'avif' || brand === 'avis');
}

/**
 * Reports whether a file starts as a HEIF of any coding: ISO 23008-12, 10.2.
 * @param head its first bytes, a character for each
 */
export function hasHeifBrand(head: string): boolean {
  return readBrands(head).some((brand) => /^(hei[cxms]|hev[cx]|mif[123]|msf1|avci|j2ki|jpeg)$/.test(brand));
}

/** Reads the major and compatible brands of the `ftyp` box: ISO 14496-12, 4.3. */
function readBrands(head: string): readonly string[] {
  if (head.slice(4, 8) !== 'ftyp') return [];
  const boxBytes = [...head.slice(0, 4)].reduce((sum, byte) => sum * 256 + byte.charCodeAt(0), 0);
  return head.slice(8, boxBytes).match(/.{4}/gs) ?? [];
}

/** Reports whether the brands of a file announce an image sequence. */
export async function announcesSequence(bytes: ByteWindow): Promise<boolean> {
  const box = await bytes.read(0, Math.min(FTYP_BYTES_MAX, bytes.size));
  const end = Math.min(box.byteLength, box.getUint32(0));
  for (let at = 8; at + 4 <= end; at += 4) if (SEQUENCE_BRANDS.has(readFourCc(box, at))) return true;
  return false;
}
