import { Scissors } from 'lucide-react';
import { LEMUR } from '../files/samples.ts';
import { IMAGE_EXTENSIONS, type Tool } from '../tools/tool.ts';

export const removeBgTool: Tool = {
  operationId: 'remove-bg',
  slug: 'remove-bg',
  name: 'Remove backgrounds',
  icon: Scissors,
  brief: 'The subject stays, with soft edges',
  promise: 'Remove image and video backgrounds, or replace them.',
  takes: ['image', 'video'],
  extensions: [...IMAGE_EXTENSIONS, '.mkv'],
  sample: LEMUR,
  measured: { file: 'A photo of 1 megapixel', seconds: 3, fixedSeconds: 2.6, amount: 1, kind: 'image' },
  // While the machine did other work.
  alsoMeasured: [{ seconds: 150, amount: 10.6, kind: 'video', isBound: true }],
  example: { weights: ['matte'] },
  // libvips for images, ffmpeg for the audio track of videos.
  largeFiles: ['ort', 'matte', 'vips', 'ffmpeg-core'],
  suffix: '-cutout',
};
