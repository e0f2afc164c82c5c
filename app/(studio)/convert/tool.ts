import { ArrowLeftRight } from 'lucide-react';
import { KITTEN } from '../files/samples.ts';
import { IMAGE_EXTENSIONS, type Tool } from '../tools/tool.ts';

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
  example: { formats: ['JPG', 'AVIF'] },
  // ImageMagick for most formats, x265 of ffmpeg for HEIC.
  largeFiles: ['magick', 'ffmpeg-core'],
};
