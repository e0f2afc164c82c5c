import type { Rgba } from '../../core/runtime/raster.ts';
import { parseColour } from '../../kernels/colour/css-colour.ts';
import { type Gradient, parseGradient } from '../../kernels/colour/css-gradient.ts';
import { type Backdrop, solidBackdrop } from './backdrop.ts';
import { gradientBackdrop } from './gradient-backdrop.ts';

/** Background for a subject. An image is given by its URL, which the caller fetches. */
export type Background =
  | { readonly kind: 'transparent' }
  | { readonly kind: 'colour'; readonly colour: Rgba }
  | { readonly kind: 'gradient'; readonly gradient: Gradient }
  | { readonly kind: 'picture'; readonly url: string };

/**
 * Parses the `background` of a request.
 * @returns null for anything else
 */
export function parseBackground(text: string): Background | null {
  if (text.trim().toLowerCase() === 'transparent') return { kind: 'transparent' };
  if (/^https?:\/\/\S+$/i.test(text)) return { kind: 'picture', url: text };
  const colour = parseColour(text);
  if (colour) return { kind: 'colour', colour };
  const gradient = parseGradient(text);
  return gradient && { kind: 'gradient', gradient };
}

/** Builds the backdrop for an image of a given size; null leaves it transparent. */
export function getBackdrop(
  background: Exclude<Background, { kind: 'picture' }>,
  width: number,
  height: number,
): Backdrop | null {
  switch (background.kind) {
    case 'transparent':
      return null;
    case 'colour':
      return solidBackdrop(background.colour);
    case 'gradient':
      return gradientBackdrop(background.gradient, width, height);
  }
}
