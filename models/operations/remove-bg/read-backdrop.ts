import { fieldError } from '../../core/operation/errors.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import { openImage, rasterOf } from '../../media/image/read-raster.ts';
import { type Backdrop, backdropSideMax, CENTRED, imageBackdrop } from './backdrop/backdrop.ts';
import { backdropOf, parseBackground } from './background.ts';
import type { BackgroundChoice } from './cutout-edits.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * Builds the backdrop of a request for an image of a given size; null leaves it transparent. A background image comes
 * with the run, as its attachment `background`.
 * @throws OperationError `bad_request` naming `background` when it is of no known kind or was not sent along
 */
export async function readBackdrop(
  text: string,
  size: Size,
  runtime: Pick<Runtime, 'images' | 'signal' | 'attachments'>,
): Promise<Backdrop | null> {
  if (parseBackground(text)?.kind !== 'picture') {
    return backdropOfChoice({ kind: 'css', background: text }, size, runtime);
  }
  const picture = runtime.attachments.get('background');
  if (!picture)
    throw fieldError('background', 'the image was not sent with the request. Send it again.', {
      kind: 'setting',
    });
  return backdropOfChoice({ kind: 'picture', picture }, size, runtime);
}

/**
 * Builds a backdrop for an image of a given size, where it does not depend on the image; null leaves it transparent.
 * @throws OperationError `bad_request` naming `background` when it is of no known kind
 */
export async function backdropOfChoice(
  choice: Exclude<BackgroundChoice, { kind: 'blurred' }>,
  { width, height }: Size,
  codecs: Pick<Runtime, 'images' | 'signal'>,
): Promise<Backdrop | null> {
  if (choice.kind === 'picture') {
    const picture = await openImage(choice.picture, codecs);
    const { position = CENTRED } = choice;
    const sideMax = backdropSideMax(picture, width, height, position.scale);
    return imageBackdrop(await rasterOf(picture, { sideMax }), width, height, position);
  }
  const background = parseBackground(choice.background);
  if (background && background.kind !== 'picture') return backdropOf(background, width, height);
  throw fieldError('background', 'has an unknown kind. Use a colour, a gradient or an image.', {
    kind: 'setting',
  });
}
