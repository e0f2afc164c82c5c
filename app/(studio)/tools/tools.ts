import type { OperationId } from '../../../models/registry.ts';
import { type MediaKind, mediaKind } from '../files/media-kind.ts';
import {
  CONVERSATION,
  KITTEN,
  KITTEN_ROOM,
  LEMUR,
  LEMUR_SMALL,
  type Sample,
  SONG,
} from '../files/samples.ts';

/** Presentation of an operation in the studio. Its definition says what it does and costs. */
export interface Tool {
  readonly operationId: OperationId;
  /** Path of the page, without the slash. */
  readonly slug: string;
  /** Name of the tool everywhere: the operation's title, which a page cannot load. */
  readonly name: string;
  /** Purpose of the tool, in a few words under its name. */
  readonly brief: string;
  /** Benefit for the visitor, in one sentence. */
  readonly promise: string;
  readonly takes: readonly MediaKind[];
  /** Extensions for the file picker: some systems report no media type for these. */
  readonly extensions: readonly string[];
  readonly sample: Sample;
  /** Addition to the names of results, where they are no other version of the same image. */
  readonly suffix?: string;
}

/** Extensions of the images that the codecs of every tool read. */
const IMAGE_EXTENSIONS = ['.heic', '.heif', '.avif', '.tif', '.tiff', '.bmp'];

/** Extensions of the recordings that many systems report no media type for. */
const AUDIO_EXTENSIONS = ['.aac', '.ac3', '.aiff', '.amr', '.flac', '.m4a', '.opus', '.wma'];

/** Every operation has a page: leaving one out fails the type check. */
export const TOOLS: Readonly<Record<OperationId, Tool>> = {
  'media-convert-image': {
    operationId: 'media-convert-image',
    slug: 'convert',
    name: 'Convert images',
    brief: 'Another format or quality',
    promise:
      'Convert HEIC, WebP, PNG, JPG, BMP, TIFF, AVIF and GIF into whichever of them you need, in batches.',
    takes: ['image'],
    extensions: IMAGE_EXTENSIONS,
    sample: KITTEN,
  },
  'remove-bg': {
    operationId: 'remove-bg',
    slug: 'remove-bg',
    name: 'Remove background',
    brief: 'The subject stays, with soft edges',
    promise: 'Remove image and video backgrounds, or replace them.',
    takes: ['image', 'video'],
    extensions: [...IMAGE_EXTENSIONS, '.mkv'],
    sample: LEMUR,
    suffix: '-cutout',
  },
  'image-moderation': {
    operationId: 'image-moderation',
    slug: 'safety',
    name: 'Check images',
    brief: 'Four categories of harm',
    promise: 'See how an image scores on four categories of harm before you publish it.',
    takes: ['image'],
    extensions: IMAGE_EXTENSIONS,
    sample: KITTEN,
    suffix: '-verdict',
  },
  upscale: {
    operationId: 'upscale',
    slug: 'upscale',
    name: 'Upscale',
    brief: 'Two, four or eight times as large',
    promise: 'Enlarge images and videos two, four or eight times, with sharp edges and no invented texture.',
    takes: ['image', 'video'],
    extensions: [...IMAGE_EXTENSIONS, '.mkv'],
    sample: LEMUR_SMALL,
    suffix: '-upscaled',
  },
  'image-outpaint': {
    operationId: 'image-outpaint',
    slug: 'extend',
    name: 'Extend images',
    brief: 'More room on every side',
    promise: 'Continue an image past its edges, to another shape or with more room around the subject.',
    takes: ['image'],
    extensions: IMAGE_EXTENSIONS,
    sample: KITTEN_ROOM,
  },
  'audio-diarize': {
    operationId: 'audio-diarize',
    slug: 'who-spoke',
    name: 'Who spoke',
    brief: 'Who spoke when, and how long',
    promise: 'See who spoke when in a recording and for how long, name the speakers, and save the timeline.',
    takes: ['audio', 'video'],
    extensions: [...AUDIO_EXTENSIONS, '.mkv'],
    sample: CONVERSATION,
    suffix: '-speakers',
  },
  'audio-separate-stems': {
    operationId: 'audio-separate-stems',
    slug: 'stems',
    name: 'Split stems',
    brief: 'Vocals, drums, bass and the rest',
    promise: 'Split music into vocals, drums, bass and the rest, remix them, and save what you need.',
    takes: ['audio', 'video'],
    extensions: [...AUDIO_EXTENSIONS, '.mkv'],
    sample: SONG,
  },
};

export const TOOL_LIST: readonly Tool[] = Object.values(TOOLS);

/** Reports whether a tool seems to accept a file. */
export function fitsTool(tool: Tool, file: { readonly name: string; readonly type: string }): boolean {
  const kind = mediaKind(file);
  return kind !== undefined && tool.takes.includes(kind);
}

/** Pages of the studio: they run on the device and so work offline. */
export const STUDIO_PATHS: readonly string[] = [
  '/',
  ...TOOL_LIST.map(({ slug }) => `/${slug}`),
  '/recent',
  '/device',
  '/settings',
];
