import type { ImageMetadata } from '../../image-codec.ts';
import type { Bytes } from '../byte-writer.ts';
import { startsWith } from './text.ts';

/** Unpacks a zlib stream. */
export type Inflate = (packed: Bytes) => Promise<Bytes>;

const XMP_HEAD = 'XML:com.adobe.xmp\0';

/** iCCP, eXIf and the iTXt of XMP: PNG, third edition, 11.3. */
export async function readPngMetadata(file: Bytes, inflate: Inflate): Promise<ImageMetadata> {
  const chunks = readChunks(file);
  const profile = chunks.get('iCCP')?.[0];
  const icc = profile && (await unpacked(profile.subarray(profile.indexOf(0) + 2), inflate));
  const exif = chunks.get('eXIf')?.[0];
  const text = chunks.get('iTXt')?.find((body) => startsWith(body, XMP_HEAD));
  const xmp = text && (await readXmp(text, inflate));
  return { ...(icc ? { icc } : {}), ...(exif ? { exif } : {}), ...(xmp ? { xmp } : {}) };
}

/** Keyword, then whether it is packed and how, language tag, translated keyword, text. */
async function readXmp(body: Bytes, inflate: Inflate): Promise<Bytes | undefined> {
  const isPacked = body[XMP_HEAD.length] === 1;
  const languageEnd = body.indexOf(0, XMP_HEAD.length + 2);
  const text = body.slice(body.indexOf(0, languageEnd + 1) + 1);
  return isPacked ? unpacked(text, inflate) : text;
}

/** A broken stream is no reason to lose the picture. */
function unpacked(packed: Bytes, inflate: Inflate): Promise<Bytes | undefined> {
  return inflate(packed).catch(() => undefined);
}

function readChunks(file: Bytes): Map<string, Bytes[]> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const chunks = new Map<string, Bytes[]>();
  for (let at = 8; at + 12 <= file.length; ) {
    const end = at + 8 + view.getUint32(at);
    const type = String.fromCharCode(...file.subarray(at + 4, at + 8));
    if (end > file.length || type === 'IEND') break;
    chunks.set(type, [...(chunks.get(type) ?? []), file.subarray(at + 8, end)]);
    at = end + 4;
  }
  return chunks;
}
