import { readMatrixProfile } from '../../../models/kernels/icc/read-profile.ts';
import { convertToSrgb } from '../../../models/kernels/icc/to-srgb.ts';
import type { Raster } from '../../../models/raster.ts';
import type { Source } from './source.ts';

/** Brings what a decoder without colour management gave into sRGB, in place, where its profile says it is not. */
export function applyProfile(raster: Raster, { profile }: Pick<Source, 'profile'>): void {
  const matrix = profile && readMatrixProfile(profile);
  if (matrix) convertToSrgb(raster, matrix);
}
