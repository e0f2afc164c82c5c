import type { ImageMetadata } from '../../../core/runtime/image-codec.ts';
import { ascii, concat, u32 } from '../../bytes/byte-writer.ts';
import type { HeifItem } from './write-heif.ts';

/** Returns the items that describe the primary image, which stands first: ISO 23008-12, A.2 (Exif) and A.3 (XMP). */
export function metadataItems({ exif, xmp }: ImageMetadata): HeifItem[] {
  const references = [{ type: 'cdsc', to: [0] }];
  return [
    ...(exif ? [{ type: 'Exif', data: concat([u32(6), ascii('Exif\0\0'), exif]), references }] : []),
    ...(xmp ? [{ type: 'mime', data: xmp, contentType: 'application/rdf+xml', references }] : []),
  ];
}
