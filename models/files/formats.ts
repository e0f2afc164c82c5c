import { avif } from './avif/card.ts';
import { bmp } from '../media/image/bmp/card.ts';
import { gif } from '../media/image/gif/card.ts';
import { heic } from './heic/card.ts';
import { jpeg } from '../media/image/jpeg/card.ts';
import { png } from '../media/image/png/card.ts';
import { tiff } from '../media/image/tiff/card.ts';
import { webp } from '../media/image/webp/card.ts';

/** Cards of all image formats, in the order in which forms and messages list them: the most useful first. */
export const IMAGE_FORMATS = [jpeg, png, webp, avif, heic, tiff, gif, bmp] as const;

/** Id of an image format. */
export type ImageFormat = (typeof IMAGE_FORMATS)[number]['id'];

/** Name that a request gives the target of a conversion. */
export type TargetName = (typeof IMAGE_FORMATS)[number]['targetNames'][number];
