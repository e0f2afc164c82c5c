import { ArrowLeftRight } from 'lucide-react';
import { KITTEN } from '../files/samples.ts';
import { IMAGE_EXTENSIONS, type Tool } from '../tools/tool.ts';

/** Seconds for 12 megapixels by the target format, of a JPEG where no other format is named. */
const MEASURED_SECONDS = {
  jpg: 0.6,
  png: 2.8,
  webp: 2,
  tiff: 2.8,
  gif: 3,
  bmp: 0.5,
  heic: 5.2,
  'jpg image/heic': 1.5,
};

export const convertTool: Tool = {
  operationId: 'media-convert-image',
  slug: 'convert',
  name: 'Convert images',
  icon: ArrowLeftRight,
  brief: 'Another format or quality',
  promise:
    'Convert HEIC, WebP, PNG, JPG, BMP, TIFF, AVIF and GIF into whichever of them you need, in batches.',
  takes: ['image'],
  extensions: IMAGE_EXTENSIONS,
  sample: KITTEN,
  measured: {
    file: 'A photo of 12 megapixels to AVIF',
    seconds: 4.7,
    amount: 12,
    kind: 'image to_format=avif',
  },
  alsoMeasured: Object.entries(MEASURED_SECONDS).map(([kind, seconds]) => ({
    kind: `image to_format=${kind}`,
    seconds,
    amount: 12,
  })),
  example: { formats: ['JPG', 'AVIF'] },
  // ImageMagick for most formats, x265 of ffmpeg for HEIC.
  largeFiles: ['magick', 'ffmpeg-core'],
};
