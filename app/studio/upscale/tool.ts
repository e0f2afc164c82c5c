import { Expand } from 'lucide-react';
import { LEMUR_SMALL } from '../files/samples.ts';
import { IMAGE_EXTENSIONS, type Tool } from '../tools/tool.ts';

export const upscaleTool: Tool = {
  operationId: 'upscale',
  slug: 'upscale',
  name: 'Upscale',
  icon: Expand,
  brief: 'Images and videos, up to 8×',
  promise: 'Make images and videos two, four or eight times as large.',
  takes: ['image', 'video'],
  extensions: [...IMAGE_EXTENSIONS, '.mkv'],
  sample: LEMUR_SMALL,
  measured: [{ seconds: 21.8, amount: 1, kind: 'image' }],
  // libvips for images, ffmpeg for the audio track of videos.
  largeFiles: ['ort', 'upscale', 'vips', 'ffmpeg-core'],
  suffix: '-upscaled',
  startValues: { output_format: 'png' },
  hasOwnEstimate: true,
};
