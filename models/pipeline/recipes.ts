import type { Media } from '../core/operation/inputs.ts';

/** Recipe that ships with the product, in the form of a request. */
export interface ShippedRecipe {
  /** As a preset may be named. */
  readonly name: string;
  readonly title: string;
  /** Purpose in a few words. */
  readonly brief: string;
  readonly takes: Media;
  readonly steps: readonly ShippedStep[];
  /** Absent: the steps that no other reads. */
  readonly outputs?: readonly string[];
}

interface ShippedStep {
  readonly id: string;
  readonly operation: string;
  /** Absent: the input. */
  readonly from?: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Cutout on white, as most online shops ask for. */
const ON_WHITE = { size: 'marketplace', background: '#ffffff' };

/** Lists the steps whose files are the result: those that are named, or those that no step reads. */
export function listOutputs({
  steps,
  outputs,
}: {
  readonly steps: readonly Pick<ShippedStep, 'id' | 'from'>[];
  readonly outputs?: readonly string[] | undefined;
}): readonly string[] {
  const read = new Set(steps.map(({ from }) => from?.split('/')[0]));
  return outputs ?? steps.map(({ id }) => id).filter((id) => !read.has(id));
}

/** Returns the steps that write an image in each of some sizes, as JPG and WebP. */
function inTwoFormats(from: string, sides: readonly number[]): ShippedStep[] {
  return sides.flatMap((side) =>
    (['jpg', 'webp'] as const).map((to_format) => ({
      id: `${to_format}-${side}`,
      operation: 'convert',
      from,
      params: { to_format, quality: 85, width: side, height: side, output_name: '{name}-{width}' },
    })),
  );
}

/** Returns a step that fills a shape around what draws the eye. */
function inShape(id: string, width: number, height: number): ShippedStep {
  return {
    id,
    operation: 'convert',
    params: {
      to_format: 'jpg',
      quality: 85,
      width,
      height,
      fit: 'cover',
      gravity: 'attention',
      enlarge: true,
      output_name: '{name}-{step}',
    },
  };
}

/** Recipes that pages, command and guides offer. */
export const SHIPPED_RECIPES: readonly ShippedRecipe[] = [
  {
    name: 'shop-photo',
    title: 'Shop photo',
    brief: 'On white, 2000 × 2000, with a shadow.',
    takes: 'image',
    steps: [
      { id: 'cut', operation: 'remove-bg', params: { ...ON_WHITE, shadow: 'contact' } },
      { id: 'shop', operation: 'convert', from: 'cut', params: { to_format: 'jpg', quality: 90 } },
    ],
  },
  {
    name: 'marketplace-set',
    title: 'Marketplace set',
    brief: 'The product on white in three sizes, each as JPG and WebP.',
    takes: 'image',
    steps: [
      { id: 'cut', operation: 'remove-bg', params: ON_WHITE },
      ...inTwoFormats('cut', [2000, 1000, 400]),
    ],
  },
  {
    name: 'web-images',
    title: 'Web images',
    brief: 'AVIF and WebP, at most 1600 pixels and 300 kB.',
    takes: 'image',
    steps: (
      [
        ['avif', 200_000],
        ['webp', 300_000],
      ] as const
    ).map(([to_format, max_bytes]) => ({
      id: to_format,
      operation: 'convert',
      params: { to_format, quality: 80, width: 1600, height: 1600, max_bytes, output_name: '{name}-{width}' },
    })),
  },
  {
    name: 'passport-photo',
    title: 'Passport photo',
    brief: '35 × 45 mm on white, 600 dpi.',
    takes: 'image',
    steps: [
      {
        id: 'cut',
        operation: 'remove-bg',
        params: { subject: 'primary', size: '827x1063', background: '#ffffff' },
      },
      {
        id: 'passport',
        operation: 'convert',
        from: 'cut',
        params: { to_format: 'jpg', quality: 95, dpi: 600 },
      },
    ],
  },
  {
    name: 'podcast',
    title: 'Podcast',
    brief: 'Who spoke when, and the voices alone.',
    takes: 'audio',
    steps: [
      { id: 'speakers', operation: 'diarize', params: {} },
      { id: 'stems', operation: 'stems', params: { stems: 'two' } },
    ],
  },
  {
    name: 'social-set',
    title: 'Social set',
    brief: 'JPG in 1:1, 4:5 and 9:16.',
    takes: 'image',
    steps: [inShape('square', 1080, 1080), inShape('portrait', 1080, 1350), inShape('story', 1080, 1920)],
  },
];
