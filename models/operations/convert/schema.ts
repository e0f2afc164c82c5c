import { z } from 'zod';
import { listWords } from '../../media/image/find-format.ts';
import { IMAGE_FORMATS, type TargetName } from '../../media/image/formats.ts';

export const TARGET_FORMATS = IMAGE_FORMATS.flatMap(({ targetNames }): readonly TargetName[] => targetNames);

const LOSSY = IMAGE_FORMATS.flatMap(({ isLossy, targetNames }) => (isLossy ? targetNames.slice(0, 1) : []));

export const paramsSchema = z.strictObject({
  to_format: z
    .enum(TARGET_FORMATS)
    .meta({ description: 'Target format. There is no default.', examples: ['avif'] }),
  quality: z
    .number()
    .min(1)
    .max(100)
    .default(92)
    .meta({
      description: `For ${listWords(LOSSY, 'and')}, where a number means the same visible quality; 100 is the best that each can do. The other formats are lossless or paletted and ignore it.`,
    }),
  keep_metadata: z.boolean().default(false).meta({
    description:
      'Keep EXIF (GPS included), XMP, IPTC, print resolution and the colour profile wherever the target can hold them.',
  }),
});

export type ConvertParams = z.output<typeof paramsSchema>;
