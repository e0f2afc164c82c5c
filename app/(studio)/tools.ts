import type { OperationId } from '../../models/registry.ts';
import type { MediaKind } from './media-kind.ts';

/** How an operation presents itself in the studio. What it does and costs stands in its definition. */
export interface Tool {
  /** The page's path, without the slash. */
  readonly slug: string;
  /** The thing to do, in one word. */
  readonly verb: string;
  /** What the visitor gets, in one sentence. */
  readonly promise: string;
  readonly takes: MediaKind;
  /** For the file picker, beside the kind itself: some systems know no media type for these. */
  readonly extensions: readonly string[];
}

/** Every operation has a page: leaving one out fails the type check. */
export const TOOLS: Readonly<Record<OperationId, Tool>> = {
  'media-convert-image': {
    slug: 'convert',
    verb: 'Convert',
    promise:
      'Turn HEIC, WebP, PNG, JPG, BMP, TIFF, AVIF and GIF into whichever of them you need, many at once.',
    takes: 'image',
    extensions: ['.heic', '.heif', '.avif', '.tif', '.tiff', '.bmp'],
  },
  'remove-bg': {
    slug: 'remove-bg',
    verb: 'Cut out',
    promise: 'Take the background out of pictures: transparent, or before a colour or a picture of your own.',
    takes: 'image',
    extensions: ['.bmp'],
  },
};

export const TOOL_LIST: readonly Tool[] = Object.values(TOOLS);

/** Every page of the studio: what works on the device, and so without a network. */
export const STUDIO_PATHS: readonly string[] = [
  '/',
  ...TOOL_LIST.map(({ slug }) => `/${slug}`),
  '/recent',
  '/device',
  '/settings',
];
