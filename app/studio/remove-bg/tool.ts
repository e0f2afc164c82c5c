import { Scissors } from 'lucide-react';
import { LEMUR } from '../files/samples.ts';
import { IMAGE_EXTENSIONS, type Tool } from '../tools/tool.ts';

export const removeBgTool: Tool = {
  operationId: 'remove-bg',
  slug: 'remove-bg',
  name: 'Remove backgrounds',
  icon: Scissors,
  brief: 'Images and videos',
  promise: 'Cut out the subject of an image or a video.',
  takes: ['image', 'video'],
  extensions: [...IMAGE_EXTENSIONS, '.mkv'],
  sample: LEMUR,
  measured: [
    { seconds: 3, fixedSeconds: 2.6, amount: 1, kind: 'image' },
    // While the machine did other work.
    { seconds: 150, amount: 10.6, kind: 'video', isBound: true },
  ],
  // libvips for images, ffmpeg for the audio track of videos.
  largeFiles: ['ort', 'matte', 'vips', 'ffmpeg-core'],
  suffix: '-cutout',
};
