import { type Backdrop, solidBackdrop } from '../kernels/backdrop.ts';
import { parseColour, type Rgba } from '../kernels/css/colour.ts';
import { type Gradient, parseGradient } from '../kernels/css/gradient.ts';
import { gradientBackdrop } from '../kernels/css/paint-gradient.ts';

/** What may stand behind a subject. A picture is given by its URL, which whoever takes the request fetches. */
export type Background =
  | { readonly kind: 'transparent' }
  | { readonly kind: 'colour'; readonly colour: Rgba }
  | { readonly kind: 'gradient'; readonly gradient: Gradient }
  | { readonly kind: 'picture'; readonly url: string };

/** Reads the `background` of a request. @returns null when it is none of the kinds */
export function parseBackground(text: string): Background | null {
  if (text.trim().toLowerCase() === 'transparent') return { kind: 'transparent' };
  if (/^https?:\/\/\S+$/i.test(text)) return { kind: 'picture', url: text };
  const colour = parseColour(text);
  if (colour) return { kind: 'colour', colour };
  const gradient = parseGradient(text);
  return gradient && { kind: 'gradient', gradient };
}

/** The backdrop for a picture of a size; null leaves it transparent. */
export function backdropOf(
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
