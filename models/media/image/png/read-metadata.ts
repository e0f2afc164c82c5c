import type { ImageMetadata } from '../../../core/runtime/image-codec.ts';
import type { Bytes } from '../../bytes/byte-writer.ts';
import { type Inflate, inflateOrNothing } from '../../bytes/zlib.ts';
import { readPngChunks } from './chunks.ts';
import { readPngTexts } from './read-texts.ts';

/** Reads iCCP, eXIf and what text chunks say: PNG, third edition, 11.3. */
export async function readPngMetadata(file: Bytes, inflate: Inflate): Promise<ImageMetadata> {
  const chunks = readPngChunks(file);
  const bodyOf = (wanted: string) => chunks.find(({ type }) => type === wanted)?.body;
  const profile = bodyOf('iCCP');
  const icc = profile && (await inflateOrNothing(profile.subarray(profile.indexOf(0) + 2), inflate));
  const exif = bodyOf('eXIf');
  return { ...(await readPngTexts(chunks, inflate)), ...(icc && { icc }), ...(exif && { exif }) };
}
