import type { ImageMetadata } from '../../runtime/image-codec.ts';
import type { Bytes } from '../bytes/byte-writer.ts';
import { startsWith } from '../bytes/starts-with.ts';
import { readPngChunks } from './chunks.ts';

/** Unpacks a zlib stream. */
export type Inflate = (packed: Bytes) => Promise<Bytes>;

const XMP_HEAD = 'XML:com.adobe.xmp\0';

/** Reads iCCP, eXIf and the iTXt of XMP: PNG, third edition, 11.3. */
export async function readPngMetadata(file: Bytes, inflate: Inflate): Promise<ImageMetadata> {
  const chunks = readPngChunks(file);
  const bodiesOf = (wanted: string) => chunks.filter(({ type }) => type === wanted).map(({ body }) => body);
  const [profile] = bodiesOf('iCCP');
  const icc = profile && (await unpacked(profile.subarray(profile.indexOf(0) + 2), inflate));
  const [exif] = bodiesOf('eXIf');
  const text = bodiesOf('iTXt').find((body) => startsWith(body, XMP_HEAD));
  const xmp = text && (await readXmp(text, inflate));
  return { ...(icc ? { icc } : {}), ...(exif ? { exif } : {}), ...(xmp ? { xmp } : {}) };
}

/** Reads iTXt: keyword, compression flag and method, language tag, translated keyword, text. */
async function readXmp(body: Bytes, inflate: Inflate): Promise<Bytes | undefined> {
  const isPacked = body[XMP_HEAD.length] === 1;
  const languageEnd = body.indexOf(0, XMP_HEAD.length + 2);
  const text = body.slice(body.indexOf(0, languageEnd + 1) + 1);
  return isPacked ? unpacked(text, inflate) : text;
}

/** Unpacks a stream; a damaged one is no reason to lose the image. */
function unpacked(packed: Bytes, inflate: Inflate): Promise<Bytes | undefined> {
  return inflate(packed).catch(() => undefined);
}
