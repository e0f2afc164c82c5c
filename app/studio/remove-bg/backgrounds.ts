import type { BackgroundChoice, CutoutEdits } from '../../../models/operations/remove-bg/cutout-edits.ts';
import type { CanvasEdits } from './stage/canvas-edits.ts';

const WHITE_CSS = '#ffffff';

/** Ready backgrounds, as CSS that the operation itself understands. */
export const BACKGROUNDS: readonly { readonly name: string; readonly css: string }[] = [
  { name: 'Transparent', css: 'transparent' },
  { name: 'White', css: WHITE_CSS },
  { name: 'Paper', css: '#ece5d8' },
  { name: 'Slate', css: '#4a5058' },
  { name: 'Black', css: '#0d0c0b' },
  { name: 'Rose', css: '#e8b4b8' },
  { name: 'Sage', css: '#a9bda1' },
  { name: 'Sky', css: 'linear-gradient(180deg, #6fa8dc, #e8f1fa)' },
  { name: 'Dusk', css: 'linear-gradient(160deg, #2b2d5b, #c4594e 70%, #ffd9a0)' },
  { name: 'Studio', css: 'radial-gradient(circle at 50% 40%, #ffffff, #b9b4ab)' },
];

export const TRANSPARENT: BackgroundChoice = { kind: 'css', background: 'transparent' };
export const WHITE: BackgroundChoice = { kind: 'css', background: WHITE_CSS };

/** Initial custom colour. */
export const CUSTOM_COLOUR = '#3a7d5c';

export function isTransparent(background: BackgroundChoice): boolean {
  return background.kind === 'css' && background.background === 'transparent';
}

/** Returns the background that the file has: JPG, which has no transparency, has white. */
export function visibleBackground({
  background,
  format,
}: Pick<CutoutEdits, 'background' | 'format'>): BackgroundChoice {
  return isTransparent(background) && format === 'jpeg' ? WHITE : background;
}

/** Marketplaces ask for white: one that the visitor chooses afterwards stays. */
export function backgroundBehind(
  background: BackgroundChoice,
  { size }: Partial<CanvasEdits>,
): BackgroundChoice {
  return size === 'marketplace' ? WHITE : background;
}
