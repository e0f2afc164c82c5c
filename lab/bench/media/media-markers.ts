import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const RATE = 16_000;
/** Steps in which a picture is looked at, in a second. */
const STEPS = 50;
const LOUD = 0.3;
const BRIGHT = 128;
const BYTES_MAX = 100_000_000;

async function readRaw(options: readonly string[]): Promise<Buffer> {
  const { stdout } = await run('ffmpeg', ['-v', 'error', ...options, '-'], {
    encoding: 'buffer',
    maxBuffer: BYTES_MAX,
  });
  return stdout;
}

/** Finds the first loud sample of the sum of files, in seconds from their start; null where all is quiet. */
export async function findBeep(urls: readonly string[]): Promise<number | null> {
  const inputs = urls.flatMap((url) => ['-i', url]);
  const mix = `amix=inputs=${urls.length}:normalize=0,aresample=${RATE}:async=1:first_pts=0`;
  const format = ['-filter_complex', mix, '-ac', '1', '-f', 'f32le'];
  const bytes = await readRaw([...inputs, ...format]);
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    if (Math.abs(bytes.readFloatLE(at)) > LOUD) return at / 4 / RATE;
  }
  return null;
}

/** Finds the first bright picture of a file, in seconds from its start; null where all are dark. */
export async function findFlash(url: string): Promise<number | null> {
  const filter = `fps=${STEPS}:start_time=0,scale=1:1,format=gray`;
  const bytes = await readRaw(['-i', url, '-an', '-vf', filter, '-f', 'rawvideo']);
  const at = bytes.findIndex((value) => value > BRIGHT);
  return at < 0 ? null : at / STEPS;
}
