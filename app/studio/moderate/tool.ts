import { ShieldCheck } from 'lucide-react';
import { KITTEN } from '../files/samples.ts';
import { IMAGE_EXTENSIONS, type Tool } from '../tools/tool.ts';

export const moderateTool: Tool = {
  operationId: 'image-moderation',
  slug: 'moderate',
  name: 'Check images',
  icon: ShieldCheck,
  brief: 'Find what needs a review',
  promise: 'Find the images that need a review before you publish them.',
  takes: ['image'],
  extensions: IMAGE_EXTENSIONS,
  sample: KITTEN,
  measured: [{ seconds: 0.2, amount: 1.7, kind: 'image' }],
  hasVerdict: true,
  // libvips reads the images.
  largeFiles: ['ort', 'nsfw-mobilenet', 'vips'],
  suffix: '-verdict',
};
