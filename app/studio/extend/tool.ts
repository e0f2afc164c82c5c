import { Scaling } from 'lucide-react';
import { KITTEN_ROOM } from '../files/samples.ts';
import { IMAGE_EXTENSIONS, type Tool } from '../tools/tool.ts';

export const extendTool: Tool = {
  operationId: 'image-outpaint',
  slug: 'extend',
  name: 'Extend images',
  icon: Scaling,
  brief: 'More room on every side',
  promise: 'Continue an image past its edges, to another shape or with more room around the subject.',
  takes: ['image'],
  extensions: IMAGE_EXTENSIONS,
  sample: KITTEN_ROOM,
  measured: {
    file: 'A photo of 1 megapixel, 200 pixels wider on each side',
    seconds: 5.2,
    amount: 1,
    kind: 'image',
  },
  example: { note: 'by the simple fill, which repeats patches of the image itself' },
  // libvips reads and writes images; the matting model finds what is not to be repeated, the
  // other judges.
  largeFiles: ['ort', 'matte', 'nsfw-mobilenet', 'vips'],
};
