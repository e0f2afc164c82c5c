import { Scaling } from 'lucide-react';
import { KITTEN_ROOM } from '../files/samples.ts';
import { IMAGE_EXTENSIONS, type Tool } from '../tools/tool.ts';

export const extendTool: Tool = {
  operationId: 'image-outpaint',
  slug: 'extend',
  name: 'Extend images',
  icon: Scaling,
  brief: 'More room on every side',
  promise: 'Add room around an image, or change its shape.',
  takes: ['image'],
  extensions: IMAGE_EXTENSIONS,
  sample: KITTEN_ROOM,
  // The simple fill alone says how well it fills. Its seed names nothing that a visitor could choose again.
  getSuffix: ({ fill_quality }) => (typeof fill_quality === 'number' ? '-extended' : ''),
  measured: [{ seconds: 5.2, amount: 1, kind: 'image' }],
  // libvips reads and writes images; the matting model finds what is not to be repeated, the
  // other judges.
  largeFiles: ['ort', 'matte', 'nsfw-mobilenet', 'vips'],
};
