import { Expand } from 'lucide-react';
import { LEMUR_SMALL } from '../files/samples.ts';
import { IMAGE_EXTENSIONS, type Tool } from '../tools/tool.ts';

export const upscaleTool: Tool = {
  operationId: 'upscale',
  slug: 'upscale',
  name: 'Upscale',
  icon: Expand,
  brief: 'Two, four or eight times as large',
  promise: 'Enlarge images and videos two, four or eight times, with sharp edges and no invented texture.',
  takes: ['image', 'video'],
  extensions: [...IMAGE_EXTENSIONS, '.mkv'],
  sample: LEMUR_SMALL,
  measured: { file: 'A photo of 1 megapixel, doubled', seconds: 21.8, amount: 1, kind: 'image' },
  example: { weights: ['upscale-x2'] },
  // libvips for images, ffmpeg for the audio track of videos.
  largeFiles: ['ort', 'upscale', 'vips', 'ffmpeg-core'],
  suffix: '-upscaled',
  startValues: { output_format: 'png' },
  hasOwnEstimate: true,
};
