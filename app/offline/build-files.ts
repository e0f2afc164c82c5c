import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readEnv } from '../../server/env.ts';
import { isGplFile } from '../../server/http/gpl-files.ts';
import { SAMPLES, type Sample } from '../(studio)/files/samples.ts';
import { STUDIO_PATHS } from '../(studio)/tools/tools.ts';

/** Files that a browser must cache so that the studio works offline. */
export interface BuildFiles {
  /** Changes with every build. */
  readonly id: string;
  readonly pages: readonly string[];
  /** Scripts, styles and images: cached at the first visit. */
  readonly files: readonly string[];
  /** Large codecs for formats that the browser does not read: cached later. */
  readonly codecs: readonly string[];
}

const CODEC_BYTES_MIN = 1_000_000;

/** Reads the build that is being served. Omits the files of GPL encoders when they are off. */
export async function readBuildFiles(): Promise<BuildFiles> {
  const root = join(process.cwd(), '.next');
  const id = (await readFile(join(root, 'BUILD_ID'), 'utf8')).trim();
  const names = await readdir(join(root, 'static'), { recursive: true });
  const files: string[] = ['/icon.svg', ...new Set(SAMPLES.flatMap(filesOf))];
  const codecs: string[] = [];
  const { GPL_ENCODERS } = readEnv();
  for (const name of names) {
    const info = await stat(join(root, 'static', name));
    // Encoded copies share the URL of their file: the browser asks for one by a header.
    if (!info.isFile() || /\.(map|ts|br|gz)$/.test(name)) continue;
    const path = `/_next/static/${name}`;
    if (!GPL_ENCODERS && isGplFile(path)) continue;
    const isCodec = info.size >= CODEC_BYTES_MIN || isGplFile(path);
    (isCodec ? codecs : files).push(path);
  }
  return { id, pages: STUDIO_PATHS, files, codecs };
}

function filesOf({ url, preview, resultUrl }: Sample): string[] {
  return [url, preview.url, resultUrl];
}
