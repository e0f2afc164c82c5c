import type { Page } from 'playwright';
import sharp from 'sharp';
import {
  chooseFiles,
  downloadOnClick,
  type OpenVisit,
  type TestFile,
  type Visit,
  type VisitOptions,
} from './visit.ts';

export const BALL = { width: 480, height: 320, x: 240, y: 170, radius: 92 } as const;

/** Place within the ball. */
export const MIDDLE = [BALL.x, BALL.y] as const;
/** Position next to the ball. */
export const SKY = [20, 20] as const;

/** Drawing of a red ball on sky and grass. */
const DRAWING = `
<svg xmlns="http://www.w3.org/2000/svg" width="${BALL.width}" height="${BALL.height}">
  <defs>
    <linearGradient id="land" x1="0" y1="0" x2="0" y2="1">
      <stop offset="0" stop-color="#9fb8c8"/><stop offset="0.6" stop-color="#c9d3d4"/>
      <stop offset="0.61" stop-color="#7a8a6a"/><stop offset="1" stop-color="#5c6b4e"/>
    </linearGradient>
    <radialGradient id="ball" cx="0.35" cy="0.3" r="0.8">
      <stop offset="0" stop-color="#ff9a7a"/><stop offset="0.5" stop-color="#d8321e"/>
      <stop offset="1" stop-color="#6e120a"/>
    </radialGradient>
  </defs>
  <rect width="100%" height="100%" fill="url(#land)"/>
  <ellipse cx="${BALL.x}" cy="262" rx="80" ry="12" fill="#39422f"/>
  <circle cx="${BALL.x}" cy="${BALL.y}" r="${BALL.radius}" fill="url(#ball)"/>
</svg>`;

/** Image with one clear subject. */
export async function createBallPicture(name = 'ball.jpg'): Promise<TestFile> {
  const buffer = await sharp(Buffer.from(DRAWING)).jpeg({ quality: 92 }).toBuffer();
  return { name, mimeType: 'image/jpeg', buffer };
}

/** Small image with edges, of which any device enlarges all within a second. */
export async function createSmallPicture(name = 'small.png'): Promise<TestFile> {
  const { buffer } = await createBallPicture();
  return { name, mimeType: 'image/png', buffer: await sharp(buffer).resize(120, 80).png().toBuffer() };
}

/** Image without a subject. */
export async function createSkyPicture(): Promise<TestFile> {
  const whole = await createBallPicture('sky.jpg');
  const top = { left: 0, top: 0, width: 480, height: 60 };
  return { ...whole, buffer: await sharp(whole.buffer).extract(top).resize(480, 320).jpeg().toBuffer() };
}

/** Returns that image stored on its side, as by a phone held upright: EXIF rotates it clockwise. */
export async function createRotatedBallPicture(format: 'jpeg' | 'webp'): Promise<TestFile> {
  const drawing = sharp(Buffer.from(DRAWING)).withMetadata({ orientation: 6 });
  return {
    name: `ball.${format}`,
    mimeType: `image/${format}`,
    buffer: await drawing.toFormat(format, { quality: 92 }).toBuffer(),
  };
}

export interface Pixels {
  readonly size: readonly [width: number, height: number];
  readonly format: string | undefined;
  at(x: number, y: number): readonly number[];
}

/** Reads the pixels of a file: red, green, blue and alpha. */
export async function decodePixels(file: Buffer): Promise<Pixels> {
  const image = sharp(file);
  const { format } = await image.metadata();
  const { data, info } = await image.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return {
    size: [info.width, info.height],
    format,
    at: (x, y) => Array.from(data.subarray((y * info.width + x) * 4, (y * info.width + x) * 4 + 4)),
  };
}

/** Moves the brush through points given as shares of the image's width and height. */
export async function paintStroke(
  page: Page,
  ...[first, ...others]: [x: number, y: number][]
): Promise<void> {
  // The brush covers the well; the image in it may be zoomed.
  await page.getByRole('application', { name: 'Brush' }).waitFor();
  const image = await page.getByRole('img', { name: /, result$/ }).boundingBox();
  if (!image || !first) throw new Error('There is no brush.');
  const place = ([x, y]: [number, number]) =>
    [image.x + x * image.width, image.y + y * image.height] as const;
  await page.mouse.move(...place(first));
  await page.mouse.down();
  for (const other of others) await page.mouse.move(...place(other), { steps: 8 });
  await page.mouse.up();
}

/** Visits the page and removes the background of one image. */
export async function cutOut(visit: OpenVisit, options?: VisitOptions): Promise<Visit> {
  const visited = await visit('/remove-bg', options);
  await chooseFiles(visited.page, [await createBallPicture()]);
  await visited.page.getByRole('radio', { name: 'Compare' }).waitFor();
  return visited;
}

/** Downloads the result, and reads its pixels. */
export async function downloadCutout(page: Page): Promise<Pixels & { readonly name: string }> {
  const [name, bytes] = await downloadOnClick(page, () =>
    page.getByRole('button', { name: 'Download', exact: true }).click(),
  );
  return { name, ...(await decodePixels(bytes)) };
}

/** Waits until the brush has painted. */
export const brushIsDone = (page: Page): Promise<void> =>
  page.getByText('Paint roughly: it finds the edges.').waitFor();
