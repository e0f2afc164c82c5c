import type { ImageMetadata, ImageText } from '../../../core/runtime/image-codec.ts';
import type { Bytes } from '../../bytes/byte-writer.ts';
import { decodeText, startsWith } from '../../bytes/text.ts';
import { type Inflate, inflateOrNothing } from '../../bytes/zlib.ts';
import { DATASET_MARKER, readImageResource } from '../iptc.ts';
import { addProperties, DC, type FilledProperty, type XmpProperty } from '../metadata/add-properties.ts';
import { getTiffStream, resetExifOrientation } from '../metadata/exif.ts';
import type { PngChunk } from './chunks.ts';

const XMP = 'XML:com.adobe.xmp';
const XMP_HEAD = 'http://ns.adobe.com/xap/1.0/\0';
/** Keywords under which programs store blocks of metadata in hexadecimal digits, as ImageMagick does. */
const RAW_PROFILE = /^Raw profile type (exif|APP1|xmp|iptc|8bim)$/;
/** Registered keywords (PNG, third edition, 11.3.3.1), and the properties of XMP that mean the same. */
export const PROPERTIES: Readonly<Record<string, XmpProperty>> = {
  Title: { namespace: DC, name: 'title', shape: 'Alt' },
  Author: { namespace: DC, name: 'creator', shape: 'Seq' },
  Description: { namespace: DC, name: 'description', shape: 'Alt' },
  Copyright: { namespace: DC, name: 'rights', shape: 'Alt' },
};
const COMPRESSED = 1;
/** Limit on all texts of a file together, unpacked, and what one counts that cannot be unpacked. */
const TEXT_BYTES_MAX = 32_000_000;
const COST_OF_DAMAGE = 4_000_000;
/** Longest keyword: PNG, third edition, 11.3.3.1. */
const KEYWORD_BYTES_MAX = 79;
/** Longest title to copyright that is kept: a longer one is no caption, and XMP makes several copies of it. */
const CAPTION_BYTES_MAX = 100_000;
/** Length within which the name and the length of a block stand. */
const BLOCK_HEAD_BYTES = 100;

/**
 * Reads the metadata in the text chunks of a PNG: XMP, blocks in hexadecimal digits, title to copyright as XMP, and all
 * other texts as they are.
 */
export async function readPngTexts(
  chunks: readonly PngChunk[],
  inflate: Inflate,
): Promise<Pick<ImageMetadata, 'exif' | 'xmp' | 'iptc' | 'texts'>> {
  const found = await readTexts(chunks, inflate);
  const first = (wanted: string) => found.find(({ keyword }) => keyword === wanted)?.bytes;
  const blocks = found.flatMap(({ keyword, bytes }) => {
    const [, type] = RAW_PROFILE.exec(keyword) ?? [];
    const block = type === undefined ? undefined : readDigits(bytes);
    return block ? [block] : [];
  });
  const exif = blocks.find(isExif);
  const packet = first(XMP) ?? blocks.map(getXmp).find((block) => block !== undefined);
  const iptc = blocks.map(getIptc).find((block) => block !== undefined);
  const filled = Object.entries(PROPERTIES).flatMap(([keyword, property]): FilledProperty[] => {
    const text = first(keyword);
    return text && text.length > 0 && text.length <= CAPTION_BYTES_MAX
      ? [{ ...property, values: [decodeText(text)] }]
      : [];
  });
  const xmp = addProperties(packet, filled);
  const texts = found
    .filter(({ keyword }) => keyword !== XMP && !RAW_PROFILE.test(keyword))
    .map(({ bytes, isInternational, ...text }): ImageText => {
      return { ...text, text: isInternational ? decodeText(bytes) : new TextDecoder('latin1').decode(bytes) };
    });
  return {
    // No reader turns an image by it.
    ...(exif && { exif: resetExifOrientation(getTiffStream(exif)) }),
    ...(xmp && { xmp }),
    ...(iptc && { iptc }),
    ...(texts.length > 0 && { texts }),
  };
}

/** Text chunk: PNG, third edition, 11.3.3. */
interface FoundText extends Omit<ImageText, 'text'> {
  readonly bytes: Bytes;
  /** Whether its text is UTF-8, not Latin-1. */
  readonly isInternational: boolean;
}

/** Returns the texts in order, as many as `TEXT_BYTES_MAX` allows. */
async function readTexts(chunks: readonly PngChunk[], inflate: Inflate): Promise<FoundText[]> {
  const texts: FoundText[] = [];
  let left = TEXT_BYTES_MAX;
  for (const { type, body } of chunks) {
    if (type !== 'tEXt' && type !== 'zTXt' && type !== 'iTXt') continue;
    const end = body.indexOf(0);
    if (end < 0 || end > KEYWORD_BYTES_MAX || left <= 0) continue;
    const keyword = String.fromCharCode(...body.subarray(0, end));
    const text = await readText(type, body.slice(end + 1), inflate);
    // One that is damaged may have cost as much as any.
    left -= text ? text.bytes.length : COST_OF_DAMAGE;
    if (text) texts.push({ keyword, isInternational: type === 'iTXt', ...text });
  }
  return texts;
}

type TextBody = Pick<FoundText, 'bytes' | 'language' | 'translated'>;

/**
 * Reads tEXt, zTXt after its compression method, or iTXt: compression flag and method, language tag, translated keyword,
 * text.
 */
async function readText(
  type: 'tEXt' | 'zTXt' | 'iTXt',
  rest: Bytes,
  inflate: Inflate,
): Promise<TextBody | undefined> {
  if (type === 'tEXt') return { bytes: rest };
  const languageEnd = type === 'iTXt' ? rest.indexOf(0, 2) : 0;
  const textAt = type === 'iTXt' ? rest.indexOf(0, languageEnd + 1) + 1 : 1;
  const packed = rest.slice(textAt);
  const isPacked = type === 'zTXt' || rest[0] === COMPRESSED;
  const bytes = isPacked ? await inflateOrNothing(packed, inflate) : packed;
  if (!bytes || type === 'zTXt') return bytes && { bytes };
  const language = decodeText(rest.slice(2, languageEnd));
  const translated = decodeText(rest.slice(languageEnd + 1, textAt - 1));
  return { bytes, ...(language && { language }), ...(translated && { translated }) };
}

/** Reads a block: a line with its name, one with its length, and its bytes in hexadecimal digits. */
function readDigits(text: Bytes): Bytes | undefined {
  const head = String.fromCharCode(...text.subarray(0, BLOCK_HEAD_BYTES));
  const [found, stated] = /^\s*\S+\s+(\d+)\s/.exec(head) ?? [];
  if (found === undefined) return undefined;
  const digits = text.subarray(found.length);
  const bytes = new Uint8Array(Math.min(Number(stated), digits.length >> 1));
  let count = 0;
  for (const letter of digits) {
    const digit = getDigit(letter);
    if (digit === null) continue;
    // Counted, not kept: more digits than stated make the block a damaged one.
    if (count < 2 * bytes.length) bytes[count >> 1] = bytes[count >> 1] * 16 + digit;
    count += 1;
  }
  return count >> 1 === Number(stated) ? bytes : undefined;
}

/** Returns the value of a hexadecimal digit, 0 for another letter, and null for white space. */
function getDigit(letter: number): number | null {
  if (letter <= 0x20) return null;
  if (letter >= 0x30 && letter <= 0x39) return letter - 0x30;
  const place = (letter | 0x20) - 0x61;
  return place >= 0 && place < 6 ? place + 10 : 0;
}

function isExif(block: Bytes): boolean {
  return startsWith(block, 'Exif\0\0') || startsWith(block, 'II*\0') || startsWith(block, 'MM\0*');
}

function getXmp(block: Bytes): Bytes | undefined {
  if (startsWith(block, XMP_HEAD)) return block.slice(XMP_HEAD.length);
  return startsWith(block, '<') ? block : undefined;
}

function getIptc(block: Bytes): Bytes | undefined {
  return block[0] === DATASET_MARKER ? block : readImageResource(block);
}
