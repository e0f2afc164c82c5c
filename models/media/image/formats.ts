import { bmp } from './bmp/card.ts';
import { gif } from './gif/card.ts';
import { avif } from './heif/avif-card.ts';
import { heic } from './heif/heic-card.ts';
import { jpeg } from './jpeg/card.ts';
import { png } from './png/card.ts';
import { tiff } from './tiff/card.ts';
import { webp } from './webp/card.ts';

/** Cards of all image formats, in the order in which forms and messages list them: the most useful first. */
export const IMAGE_FORMATS = [jpeg, png, webp, avif, heic, tiff, gif, bmp] as const;

/** Id of an image format. */
export type ImageFormat = (typeof IMAGE_FORMATS)[number]['id'];

/** Name that a request gives the target of a conversion. */
export type TargetName = (typeof IMAGE_FORMATS)[number]['targetNames'][number];
