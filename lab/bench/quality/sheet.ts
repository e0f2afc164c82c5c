import sharp from 'sharp';
import type { FloatImage, Raster8 } from '../../../models/core/runtime/raster.ts';

const CELL = 220;
/** Makes both leftovers and holes visible. */
const MAGENTA = [255, 0, 255] as const;

/** Draws a photo's cutouts by several mattes in a column; without a matte the photo itself. A PNG. */
export async function drawColumn(photo: Raster8, mattes: readonly (FloatImage | null)[]): Promise<Buffer> {
  const cells = await Promise.all(mattes.map((matte) => cell(photo, matte)));
  return sharp({ create: { width: CELL, height: CELL * cells.length, channels: 3, background: 'black' } })
    .composite(cells.map((input, at) => ({ input, left: 0, top: at * CELL })))
    .png()
    .toBuffer();
}

/** Writes columns side by side. */
export async function writeSheet(path: string, columns: readonly Buffer[]): Promise<void> {
  const [first] = columns;
  if (!first) return;
  const { height } = await sharp(first).metadata();
  await sharp({ create: { width: CELL * columns.length, height, channels: 3, background: 'black' } })
    .composite(columns.map((input, at) => ({ input, left: at * CELL, top: 0 })))
    .png()
    .toFile(path);
}

function cell({ width, height, data }: Raster8, matte: FloatImage | null): Promise<Buffer> {
  const shown = new Uint8Array(width * height * 3);
  for (let place = 0; place < width * height; place++) {
    const opacity = matte ? matte.data[place] : 1;
    for (let channel = 0; channel < 3; channel++) {
      shown[place * 3 + channel] = Math.round(
        data[place * 4 + channel] * opacity + (MAGENTA[channel] as number) * (1 - opacity),
      );
    }
  }
  return sharp(shown, { raw: { width, height, channels: 3 } })
    .resize(CELL, CELL, { fit: 'contain', background: 'black' })
    .png()
    .toBuffer();
}
