import { mediaConvertImage } from '../../../models/operations/convert/operation.ts';
import { createNodeRuntime } from '../../../server/runtime/node-runtime.ts';
import { type Photograph, readPhotographs } from '../../quality/photographs.ts';
import { decodeRaster, encodePng } from '../../quality/server-encoders.ts';
import { compareColours, type Similarity } from '../../quality/ssim.ts';
import { openWorkerPage } from '../../support/worker-page.ts';

const NUMBERS = [20, 50, 75, 92, 100];
const FORMATS = ['jpg', 'webp', 'avif', 'heic'] as const;

/** Converts a photograph on one side. */
type Convert = (input: Blob, params: object) => Promise<Blob>;

interface Figures extends Similarity {
  readonly bytes: number;
}

/**
 * Prints bytes and SSIM of each format and number compared with our JPEG's, on photographs that no table was made from. The
 * files come from the operation itself, as a job and as the studio run it.
 */
export async function judgeConvert(): Promise<void> {
  const { verification } = await readPhotographs([]);
  console.log(`\n${verification.length} photographs: ${verification.map(({ name }) => name).join(', ')}`);
  console.log(
    '| side | quality | format | kB | of the JPEG | SSIM | against the JPEG | worst | of all colours | against the JPEG | s |',
  );
  console.log(`|${' --- |'.repeat(11)}`);
  await judgeSide('server', convertOnServer, verification);
  const page = await openWorkerPage();
  try {
    const convert: Convert = async (input, params) => {
      const outcome = await page.convert(input, params);
      if (!outcome.ok) throw new Error(outcome.message);
      return new Blob([outcome.bytes]);
    };
    await judgeSide('browser', convert, verification);
  } finally {
    await page.stop();
  }
}

async function convertOnServer(input: Blob, params: object): Promise<Blob> {
  const runtime = createNodeRuntime({ signal: new AbortController().signal });
  const { files } = await mediaConvertImage.execute(input, params, runtime);
  return files[0]?.blob ?? new Blob([]);
}

async function judgeSide(side: string, convert: Convert, photographs: readonly Photograph[]): Promise<void> {
  const inputs = await Promise.all(photographs.map(({ raster }) => encodePng(raster)));
  for (const quality of NUMBERS) {
    let jpeg: readonly Figures[] = [];
    for (const to_format of FORMATS) {
      const startedAtMs = performance.now();
      const files: Blob[] = [];
      for (const input of inputs) files.push(await convert(input, { to_format, quality }));
      const seconds = (performance.now() - startedAtMs) / 1000 / inputs.length;
      const figures = await Promise.all(files.map((file, at) => judge(file, photographs[at])));
      if (to_format === 'jpg') jpeg = figures;
      printRow([side, quality, to_format], figures, jpeg, seconds);
    }
  }
}

async function judge(file: Blob, { raster }: Photograph): Promise<Figures> {
  return { bytes: file.size, ...compareColours(raster, await decodeRaster(file)) };
}

function printRow(
  names: readonly (string | number)[],
  figures: readonly Figures[],
  jpeg: readonly Figures[],
  seconds: number,
): void {
  const bytes = mean(figures.map((each) => each.bytes));
  const gaps = figures.map((each, at) => each.luma - (jpeg[at]?.luma ?? 0));
  const colour = mean(figures.map((each) => each.colour));
  const cells = [
    ...names,
    (bytes / 1000).toFixed(1),
    (bytes / mean(jpeg.map((each) => each.bytes))).toFixed(2),
    mean(figures.map((each) => each.luma)).toFixed(4),
    mean(gaps).toFixed(4),
    Math.min(...gaps).toFixed(4),
    colour.toFixed(4),
    (colour - mean(jpeg.map((each) => each.colour))).toFixed(4),
    seconds.toFixed(2),
  ];
  console.log(`| ${cells.join(' | ')} |`);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
