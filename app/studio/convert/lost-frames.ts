import { findTarget } from '../../../models/media/image/find-format.ts';
import { formatName } from '../../text/size-change.ts';
import type { ParamValues } from '../tools/fields.ts';

interface Animated {
  readonly name: string;
  readonly mediaType: string;
  readonly frames: number;
}

/** Reports whether the chosen format keeps only the first frame of an animation. Device and server do the same. */
export function isStill({ to_format }: ParamValues): boolean {
  const target = findTarget(String(to_format));
  return target !== undefined && !target.holds.several;
}

/**
 * Says which frames a conversion to a still format loses.
 * @param fileCount number of all files, with those that are not animated
 */
export function describeLostFrames(animated: readonly Animated[], fileCount: number): string | null {
  const [first, ...others] = animated;
  if (!first) return null;
  if (others.length > 0)
    return `${animated.length} images are animated: only the first frame of each is kept.`;
  const subject = fileCount === 1 ? `This ${formatName(first.mediaType)}` : first.name;
  return `${subject} has ${first.frames} frames: only the first is kept.`;
}
