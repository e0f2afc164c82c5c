import type { ImageFileCode } from '../format/image-format.ts';
import { heifFileCode } from '../heif/file-code.ts';
import { writeAvifMetadata } from './write-metadata.ts';

export const avifFileCode: ImageFileCode = {
  ...heifFileCode,
  embedMetadata: (file, metadata) =>
    metadata.icc || metadata.exif || metadata.xmp ? writeAvifMetadata(file, metadata) : [file],
};
