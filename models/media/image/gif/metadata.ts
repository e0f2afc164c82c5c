import type { ImageMetadata } from '../../../core/runtime/image-codec.ts';
import { ascii, type Bytes, concat, u8 } from '../../bytes/byte-writer.ts';
import { decodeText, startsWith } from '../../bytes/text.ts';
import { COMMENT } from '../image-format.ts';
import {
  APPLICATION,
  COMMENT_LABEL,
  divideIntoBlocks,
  EXTENSION_INTRODUCER,
  joinSubBlocks,
  readGifBlocks,
  TRAILER,
} from './blocks.ts';

/** Length and name of the application extension of XMP. */
const XMP_HEAD = '\x0bXMP DataXMP';
/**
 * Bytes behind a packet, which stands as it is: read as lengths of sub-blocks, they lead to the end from wherever the
 * packet's own bytes lead (XMP, part 3, 1.1.2).
 */
const XMP_TRAILER: Bytes = Uint8Array.from({ length: 258 }, (_, at) =>
  at === 0 ? 1 : Math.max(0, 256 - at),
);

/** Limit against crafted files. Writers leave one comment, a few tools one for each frame. */
const TEXTS_MAX = 10_000;

/** Reads XMP and comments. */
export function readGifMetadata(file: Bytes): ImageMetadata {
  let xmp: Bytes | undefined;
  const texts: { keyword: string; text: string }[] = [];
  for (const { label, dataAt, end, isWhole } of readGifBlocks(file)) {
    if (!isWhole) break;
    if (label === COMMENT_LABEL && texts.length < TEXTS_MAX)
      texts.push({ keyword: COMMENT, text: decodeText(joinSubBlocks(file, dataAt)).replace(/\0+$/, '') });
    if (label === APPLICATION && startsWith(file.subarray(dataAt), XMP_HEAD))
      xmp ??= file.slice(
        dataAt + XMP_HEAD.length,
        Math.max(dataAt + XMP_HEAD.length, end - XMP_TRAILER.length),
      );
  }
  return { ...(xmp?.length && { xmp }), ...(texts.length > 0 && { texts }) };
}

/** Puts XMP and texts into a GIF, before its trailer. Returns the parts of the file in order. */
export function writeGifMetadata(file: Bytes, { xmp, texts = [] }: ImageMetadata): Bytes[] {
  const whole = file.at(-1) === TRAILER ? file.subarray(0, -1) : file;
  return [
    whole,
    ...texts.flatMap(({ text }) => [
      u8(EXTENSION_INTRODUCER, COMMENT_LABEL),
      ...divideIntoBlocks(new TextEncoder().encode(text)),
    ]),
    ...(xmp ? [concat([u8(EXTENSION_INTRODUCER, APPLICATION), ascii(XMP_HEAD), xmp, XMP_TRAILER])] : []),
    u8(TRAILER),
  ];
}
