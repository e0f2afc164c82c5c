import { z } from 'zod';
import { parseColour } from '../../kernels/colour/css-colour.ts';
import { findTarget, getNames, listWords } from '../../media/image/find-format.ts';
import { IMAGE_FORMATS, type TargetName } from '../../media/image/formats.ts';

export const TARGET_FORMATS = IMAGE_FORMATS.flatMap(({ targetNames }): readonly TargetName[] => targetNames);

const LOSSY = IMAGE_FORMATS.flatMap(({ isLossy, targetNames }) => (isLossy ? targetNames.slice(0, 1) : []));

/** Longest side of a result, in pixels. */
export const SIDE_MAX = 16_384;
const NAME_CHARACTERS_MAX = 120;

const side = (description: string) => z.int().min(1).max(SIDE_MAX).optional().meta({ description });

const colour = (description: string) =>
  z
    .string()
    .max(200, { abort: true })
    .refine((text) => parseColour(text) !== null, 'must be a CSS colour, such as #fff or rgb(20 30 40 / 50%)')
    .optional()
    .meta({ description, example: '#fff' });

/** Fields of the geometry of a result. */
const geometryShape = {
  crop: z
    .strictObject({
      x: z.int().min(0).meta({ description: 'Left edge.' }),
      y: z.int().min(0).meta({ description: 'Upper edge.' }),
      width: z.int().min(1).meta({ description: 'Width.' }),
      height: z.int().min(1).meta({ description: 'Height.' }),
    })
    .optional()
    .meta({ description: 'Part of the upright image that stays, in whole pixels. It comes first.' }),
  rotate: z.literal([90, 180, 270]).optional().meta({ description: 'Degrees, clockwise, after the crop.' }),
  flip: z
    .enum(['horizontal', 'vertical'])
    .optional()
    .meta({ description: 'Mirrors left to right (horizontal) or top to bottom (vertical), after the turn.' }),
  width: side(
    'Width of the result in pixels. Without a height the shape stays; with it and without `fit`: inside.',
  ),
  height: side('Height of the result in pixels. Without a width the shape stays.'),
  fit: z.enum(['inside', 'cover', 'contain', 'fill']).optional().meta({
    description:
      'With both sides: at most that size (inside, the default), filled and cut (cover), padded (contain) or stretched (fill).',
  }),
  gravity: z
    .enum([
      'centre',
      'north',
      'northeast',
      'east',
      'southeast',
      'south',
      'southwest',
      'west',
      'northwest',
      'attention',
    ])
    .optional()
    .meta({
      description:
        'Part that cover keeps, or position in contain; centre by default. attention, for cover only, keeps what draws the eye.',
    }),
  pad_color: colour(
    'Colour around the image with contain. Transparent by default where the target holds transparency, else white.',
  ),
  background: colour('Colour under transparent pixels. Without it they stay transparent.'),
  enlarge: z.boolean().default(false).meta({
    description:
      'Whether a small image may grow. Otherwise it keeps its size, with the warning not_enlarged.',
  }),
  max_bytes: z
    .int()
    .min(1_000)
    .max(50_000_000)
    .optional()
    .meta({
      description: `Largest file, for ${listWords(LOSSY, 'and')}: the highest quality, at most \`quality\`, that fits. Where none does: the lowest, with the warning max_bytes_not_reached.`,
    }),
  dpi: z.int().min(1).max(1200).optional().meta({
    description: 'Print resolution in pixels per inch, where the target holds it.',
  }),
  output_name: z
    .string()
    .min(1)
    .max(NAME_CHARACTERS_MAX)
    .refine((name) => !/[/\\\p{Cc}]/u.test(name), 'must be a file name, without a path or control characters')
    .refine((name) => /[^.\s]/.test(name), 'must have a character other than dots and spaces')
    .optional()
    .meta({
      description:
        'Name of the file without its ending. {name}, {step}, {width}, {height} and {n} stand for the name of the input, the step, the size of the result and its number.',
      example: '{name}-{width}',
    }),
};

export const paramsSchema = z
  .strictObject({
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
    ...geometryShape,
  })
  .superRefine((params, context) => {
    const refuse = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message, input: params });
    const { width, height, fit, gravity } = params;
    if (fit !== undefined && (width === undefined || height === undefined)) {
      refuse('fit', 'needs both width and height');
    }
    if (gravity !== undefined && fit !== 'cover' && fit !== 'contain') {
      refuse('gravity', 'is allowed only with fit cover or contain');
    }
    if (gravity === 'attention' && fit === 'contain') {
      refuse(
        'gravity',
        'attention is allowed only with fit cover. With contain name a side, a corner or centre',
      );
    }
    if (params.pad_color !== undefined && fit !== 'contain') {
      refuse('pad_color', 'is allowed only with fit contain');
    }
    if (params.max_bytes !== undefined && findTarget(params.to_format)?.isLossy !== true) {
      const lossy = getNames(IMAGE_FORMATS.flatMap(({ id, isLossy }) => (isLossy ? id : [])));
      refuse('max_bytes', `is allowed only where to_format is ${lossy}`);
    }
  });

export type ConvertParams = z.output<typeof paramsSchema>;
