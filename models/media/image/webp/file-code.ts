import { OperationError } from '../../../core/operation/errors.ts';
import type { ImageSize } from '../../../core/runtime/raster.ts';
import type { ByteWindow } from '../../bytes/byte-window.ts';
import { animationOf, completedFile } from '../format/file-parts.ts';
import type { ImageFileCode } from '../format/image-format.ts';
import { shorterThan } from '../format/missing-end.ts';
import { readWebpChunks } from './chunks.ts';
import { completeWebp } from './complete-end.ts';
import { readWebpMetadata } from './read-metadata.ts';
import { writeWebpMetadata } from './write-metadata.ts';

export const webpFileCode: ImageFileCode = {
  readSize: readWebpSize,
  readContents: (file) => animationOf(readWebpChunks(file).filter(({ type }) => type === 'ANMF').length),
  readMetadata: readWebpMetadata,
  complete: (file) => completedFile(completeWebp(file), 'its last chunk'),
  async findMissingEnd(file) {
    const head = new DataView(await file.slice(0, 8).arrayBuffer());
    return shorterThan(file, head.getUint32(4, true) + 8);
  },
  embedMetadata: (file, metadata, size) =>
    metadata.icc || metadata.exif || metadata.xmp ? writeWebpMetadata(file, metadata, size) : [file],
};

/** Reads a WebP's size: RFC 9649, sections 2.5 (VP8), 2.6 (VP8L) and 2.7 (VP8X). */
async function readWebpSize(bytes: ByteWindow): Promise<ImageSize> {
  const chunk = (await bytes.read(12, 4)).getUint32(0);
  switch (chunk) {
    case 0x56503858: {
      // VP8X: 24-bit sizes less one
      const sizes = await bytes.read(24, 6);
      const size24 = (offset: number) =>
        sizes.getUint16(offset, true) + sizes.getUint8(offset + 2) * 0x10000 + 1;
      return { width: size24(0), height: size24(3) };
    }
    case 0x5650384c: {
      // VP8L: 14-bit sizes less one, after a signature byte
      const sizes = (await bytes.read(21, 4)).getUint32(0, true);
      return { width: (sizes & 0x3fff) + 1, height: ((sizes >>> 14) & 0x3fff) + 1 };
    }
    case 0x56503820: {
      // VP8: 14-bit sizes after frame tag and start code
      const sizes = await bytes.read(26, 4);
      return { width: sizes.getUint16(0, true) & 0x3fff, height: sizes.getUint16(2, true) & 0x3fff };
    }
    default:
      throw new OperationError(
        'bad_request',
        'The image is a damaged WebP: it starts with no VP8, VP8L or VP8X chunk.',
        { kind: 'damaged' },
      );
  }
}
