import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SAMPLES, type Sample } from '../(studio)/samples.ts';
import { STUDIO_PATHS } from '../(studio)/tools.ts';

/** What a browser needs to keep so that the studio works without a network. */
export interface BuildFiles {
  /** Changes with every build. */
  readonly id: string;
  readonly pages: readonly string[];
  /** Scripts, styles and pictures: kept at the first visit. */
  readonly files: readonly string[];
  /** Large ones, for formats the browser does not know: kept later. */
  readonly codecs: readonly string[];
}

const CODEC_BYTES_MIN = 1_000_000;

/** Reads the build that is being served. */
export async function readBuildFiles(): Promise<BuildFiles> {
  const root = join(process.cwd(), '.next');
  const id = (await readFile(join(root, 'BUILD_ID'), 'utf8')).trim();
  const names = await readdir(join(root, 'static'), { recursive: true });
  const files: string[] = ['/icon.svg', ...new Set(SAMPLES.flatMap(filesOf))];
  const codecs: string[] = [];
  for (const name of names) {
    const info = await stat(join(root, 'static', name));
    if (!info.isFile() || /\.(map|ts)$/.test(name)) continue;
    const isCodec = info.size >= CODEC_BYTES_MIN || name.includes('ffmpeg-core');
    (isCodec ? codecs : files).push(`/_next/static/${name}`);
  }
  return { id, pages: STUDIO_PATHS, files, codecs };
}

function filesOf({ url, preview, resultUrl }: Sample): string[] {
  return [url, preview.url, resultUrl];
}
