import type { OperationId } from '../../models/registry.ts';
import { type MediaKind, mediaKind } from './media-kind.ts';
import { LEMUR, RIDGE, type Sample } from './samples.ts';

/** How an operation presents itself in the studio. What it does and costs stands in its definition. */
export interface Tool {
  readonly operationId: OperationId;
  /** The page's path, without the slash. */
  readonly slug: string;
  /** The thing to do, in one word. */
  readonly verb: string;
  /** What the visitor gets, in one sentence. */
  readonly promise: string;
  readonly takes: readonly MediaKind[];
  /** For the file picker, beside the kinds themselves: some systems know no media type for these. */
  readonly extensions: readonly string[];
  /** Of these kinds, what it does not read: by extension or media subtype. */
  readonly leavesOut?: readonly string[];
  readonly sample: Sample;
}

/** Every operation has a page: leaving one out fails the type check. */
export const TOOLS: Readonly<Record<OperationId, Tool>> = {
  'media-convert-image': {
    operationId: 'media-convert-image',
    slug: 'convert',
    verb: 'Convert',
    promise:
      'Turn HEIC, WebP, PNG, JPG, BMP, TIFF, AVIF and GIF into whichever of them you need, many at once.',
    takes: ['image'],
    extensions: ['.heic', '.heif', '.avif', '.tif', '.tiff', '.bmp'],
    sample: RIDGE,
  },
  'remove-bg': {
    operationId: 'remove-bg',
    slug: 'remove-bg',
    verb: 'Cut out',
    promise: 'Take the background out of pictures and videos: transparent, or before another one.',
    takes: ['image', 'video'],
    extensions: ['.bmp', '.mkv'],
    leavesOut: ['heic', 'heif', 'avif', 'tif', 'tiff', 'gif'],
    sample: LEMUR,
  },
};

export const TOOL_LIST: readonly Tool[] = Object.values(TOOLS);

/** Whether a file seems to be something that the tool works on. */
export function fitsTool(tool: Tool, file: { readonly name: string; readonly type: string }): boolean {
  const names = [file.name.split('.').pop(), file.type.split('/').pop()];
  const isLeftOut = names.some((name) => tool.leavesOut?.includes(name?.toLowerCase() ?? ''));
  const kind = mediaKind(file);
  return kind !== undefined && tool.takes.includes(kind) && !isLeftOut;
}

/** Every page of the studio: what works on the device, and so without a network. */
export const STUDIO_PATHS: readonly string[] = [
  '/',
  ...TOOL_LIST.map(({ slug }) => `/${slug}`),
  '/recent',
  '/device',
  '/settings',
];
