import type { ImageFormat } from '../../core/runtime/image-codec.ts';
import type { ConvertParams } from './schema.ts';

/** Capabilities of a target format. */
export interface Target {
  readonly format: ImageFormat;
  readonly mediaType: string;
  /** Whether it keeps all frames of an animation, or all pages. */
  readonly frames: 'first' | 'all';
  readonly holdsMetadata: boolean;
  /** Whether it holds 16 bits per sample. */
  readonly isDeep?: boolean;
  /** Limit on width and height in pixels, where the format has a relevant one. */
  readonly sideMax?: number;
}

const JPEG: Target = {
  format: 'jpeg',
  mediaType: 'image/jpeg',
  frames: 'first',
  holdsMetadata: true,
  sideMax: 65_500,
};

/** Targets by the name that a request gives them. */
export const TARGETS: Record<ConvertParams['to_format'], Target> = {
  jpg: JPEG,
  jpeg: JPEG,
  png: { format: 'png', mediaType: 'image/png', frames: 'first', holdsMetadata: true, isDeep: true },
  webp: { format: 'webp', mediaType: 'image/webp', frames: 'all', holdsMetadata: true, sideMax: 16_383 },
  gif: { format: 'gif', mediaType: 'image/gif', frames: 'all', holdsMetadata: false, sideMax: 65_535 },
  bmp: { format: 'bmp', mediaType: 'image/bmp', frames: 'first', holdsMetadata: false },
  tiff: { format: 'tiff', mediaType: 'image/tiff', frames: 'all', holdsMetadata: true, isDeep: true },
  avif: { format: 'avif', mediaType: 'image/avif', frames: 'first', holdsMetadata: true, sideMax: 65_536 },
  heic: {
    format: 'heic',
    mediaType: 'image/heic',
    frames: 'first',
    holdsMetadata: true,
  },
};
