import { ArrowLeftRight } from 'lucide-react';
import { getNames, listFormats } from '../../../models/media/image/find-format.ts';
import { KITTEN } from '../files/samples.ts';
import { IMAGE_EXTENSIONS, type Tool } from '../tools/tool.ts';

/** Seconds for 12 megapixels by the target, of a JPEG where no other format is named. */
const MEASURED_SECONDS = [
  ...listFormats()
    .filter(({ targetNames }) => targetNames.length > 0)
    .map(({ targetNames, writeSeconds }) => [targetNames[0], writeSeconds] as const),
  ['jpg image/heic', 1.5] as const,
];

export const convertTool: Tool = {
  operationId: 'media-convert-image',
  slug: 'convert',
  name: 'Convert images',
  icon: ArrowLeftRight,
  brief: 'Another format or quality',
  promise: `Convert between ${getNames(undefined, 'and')}.`,
  takes: ['image'],
  extensions: IMAGE_EXTENSIONS,
  sample: KITTEN,
  measured: MEASURED_SECONDS.map(([kind, seconds]) => ({
    kind: `image to_format=${kind}`,
    seconds,
    amount: 12,
  })),
  // libvips for most formats, x265 of ffmpeg for HEIC.
  largeFiles: ['vips', 'ffmpeg-core'],
};
