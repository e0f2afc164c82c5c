import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { getMessage, OperationError } from '../../models/core/operation/errors.ts';
import type { Raster8 } from '../../models/core/runtime/raster.ts';
import { firstFrame } from '../../models/kernels/raster/picture.ts';
import { toEightBits } from '../../models/kernels/raster/pixel-format.ts';
import { probeImage } from '../../models/media/image/image-header.ts';
import { createImageCodec } from '../../server/runtime/image-codec/index.ts';
import { SHARED } from '../support/shared-folder.ts';
import { secondDecodersFor } from './second-decoders.ts';

const IMAGE = /\.(jpe?g|png|webp|gif|bmp|tiff?|avif|hei[cf]|mpo)$/i;
const LINE_LENGTH_MAX = 90;
const PIXELS_MAX = 100_000_000;

/** Mean errors, in levels of 255, up to which two decoders agree, or differ by their rounding and filters only. */
const SAME_MAX = 1;
const CLOSE_MAX = 4;

interface Row {
  readonly path: string;
  readonly decoder: string;
  /** Mean error in levels of 255; null where one of the two read nothing. */
  readonly error: number | null;
  readonly verdict: 'same' | 'close' | 'differs' | 'refused here' | 'refused there' | 'refused by both';
  readonly remark: string;
}

/** Returns the mean difference of colours by their opacity, and of alpha, in levels of 255. */
function meanError(one: Raster8, other: Raster8): number {
  let sum = 0;
  for (let at = 0; at < one.data.length; at += 4) {
    const [opacity = 0, otherOpacity = 0] = [one.data[at + 3], other.data[at + 3]];
    for (let place = at; place < at + 3; place++) {
      sum += Math.abs((one.data[place] ?? 0) * opacity - (other.data[place] ?? 0) * otherOpacity) / 255;
    }
    sum += Math.abs(opacity - otherOpacity);
  }
  return sum / one.data.length;
}

const codec = createImageCodec();

async function decodeHere(path: string): Promise<Raster8> {
  const { signal } = new AbortController();
  const file = new Blob([await readFile(path)]);
  await probeImage(file, { pixelsMax: PIXELS_MAX });
  return toEightBits(await firstFrame(await codec.decode(file, { frames: 'first', colour: 'srgb', signal })));
}

async function compare(path: string, scratch: string): Promise<Omit<Row, 'path'>> {
  const ours = await decodeHere(path).catch((thrown: unknown) => {
    if (thrown instanceof OperationError) return getMessage(thrown);
    throw thrown;
  });
  const decoders = secondDecodersFor(path);
  if (typeof ours === 'string') {
    const size = { width: 0, height: 0 };
    const readThere = await Promise.all(
      decoders.map((decoder) =>
        decoder.decode(path, size, scratch).then(
          () => true,
          (cause) => /another size/.test(String(cause)),
        ),
      ),
    );
    const names = decoders.filter((_, at) => readThere[at]).map(({ name }) => name);
    const verdict = names.length ? 'refused here' : 'refused by both';
    return { decoder: names.join(', '), error: null, verdict, remark: ours };
  }
  const errors: { name: string; error: number }[] = [];
  for (const { name, decode } of decoders) {
    const second = await decode(path, ours, scratch).catch(() => null);
    if (!second) continue;
    errors.push({ name, error: meanError(ours, second) });
    if (errors.some(({ error }) => error <= SAME_MAX)) break;
  }
  const [best] = errors.toSorted((left, right) => left.error - right.error);
  if (!best) return { decoder: '', error: null, verdict: 'refused there', remark: '' };
  const verdict = best.error <= SAME_MAX ? 'same' : best.error <= CLOSE_MAX ? 'close' : 'differs';
  return { decoder: best.name, error: best.error, verdict, remark: '' };
}

/** Compares the server's decoders with others on a folder of files, and prints a table of all that are not the same. */
async function main(): Promise<void> {
  const folder = resolve(process.argv[2] ?? join(SHARED, 'data/convert'));
  const names = await readdir(folder, { recursive: true });
  const scratch = await mkdtemp(join(tmpdir(), 'second-decoder-'));
  const rows: Row[] = [];
  try {
    for (const name of names.filter((one) => IMAGE.test(one)).sort()) {
      const path = join(folder, name);
      rows.push({ path: relative(folder, path), ...(await compare(path, scratch)) });
    }
  } finally {
    await rm(scratch, { recursive: true });
  }
  console.log('| File | Second decoder | Mean error | Verdict |\n|-|-|-|-|');
  for (const { path, decoder, error, verdict, remark } of rows) {
    if (verdict === 'same' && !process.argv.includes('--all')) continue;
    const words = [verdict, remark.slice(0, LINE_LENGTH_MAX)].filter(Boolean).join(': ');
    console.log(`| ${path} | ${decoder} | ${error?.toFixed(2) ?? ''} | ${words} |`);
  }
  const verdicts = [...new Set(rows.map(({ verdict }) => verdict))];
  const counts = verdicts.map((one) => `${rows.filter(({ verdict }) => verdict === one).length} ${one}`);
  console.log(`\n${rows.length} files: ${counts.join(', ')}.`);
}

await main();
