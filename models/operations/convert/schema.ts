import { z } from 'zod';

export const TARGET_FORMATS = ['jpg', 'jpeg', 'png', 'webp', 'gif', 'bmp', 'tiff', 'avif', 'heic'] as const;

export const paramsSchema = z.strictObject({
  to_format: z
    .enum(TARGET_FORMATS)
    .meta({ description: 'Target format. There is no default.', examples: ['avif'] }),
  quality: z.number().min(1).max(100).default(92).meta({
    description:
      'For jpg, webp, avif and heic, where a number means the same visible quality; 100 is the best that each can do. The other formats are lossless or paletted and ignore it.',
  }),
  keep_metadata: z.boolean().default(false).meta({
    description:
      'Keep EXIF (GPS included), XMP, IPTC, print resolution and the colour profile wherever the target can hold them.',
  }),
});

export type ConvertParams = z.output<typeof paramsSchema>;
