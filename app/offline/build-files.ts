import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isGplFilePath } from '../../server/api/transport/paths.ts';
import { readEnv } from '../../server/base/env.ts';
import { FORMER_SLUGS } from '../studio/tools/addresses.ts';
import type { Tool } from '../studio/tools/tool.ts';
import { STUDIO_PATHS, TOOL_LIST } from '../studio/tools/tools.ts';
import type { OfflineBuild, OfflineFile, OfflinePart } from './offline-build.ts';

/** Scripts and programs from this size on are cached for the tools that use them, not for all. */
const LARGE_BYTES_MIN = 1_000_000;

/** The bundler names a package's program or model after its file, and a script chunk by its content alone. */
const CHUNK = '/_next/static/chunks/';

const NAMED = new Set(TOOL_LIST.flatMap(({ largeFiles = [] }) => largeFiles));

/** Page for whatever is not cached. */
const FALLBACK = '/offline';

/** The settings run a worker, whose scripts come with the tools. */
const WITH_TOOLS = '/settings';

/** Stands outside of the studio: without its own scripts it costs little. */
const DOCS = '/docs';

const STATIC = '/_next/static/';

const ICON = '/icon.svg';

const SAMPLES = '/samples/';

/** Images in the sizes that pages show, by the widths at the ends of their names. */
const SHOWN = /-\d+\.(avif|webp)$/;

/** Pages load small scripts when they need them, which no manifest says. */
const CHUNKS = '/_next/static/chunks/';

const SMALL_BYTES_MAX = 50_000;

/** Compressed copies, best first. They share the URL of their file: a browser asks for one by a header. */
const COPIES = ['.br', '.gz'];

/** Neither are images for other sites and home screens needed offline, nor the console, which asks the API. */
const LEFT_OUT = /\.(map|ts|br|gz)$|\/console\/|\/(opengraph-image|apple-icon|icon-\d+|maskable-\d+)\./;

/** Names of static files in Next's manifests. */
const NAMES = /static\/(?:chunks|media)\/[\w.~-]+/g;

/** Reads the build that is being served. Omits the files of GPL encoders when they are off. */
export async function readOfflineBuild(): Promise<OfflineBuild> {
  const root = join(process.cwd(), '.next');
  const id = (await readFile(join(root, 'BUILD_ID'), 'utf8')).trim();
  const toolPages = TOOL_LIST.map(({ slug }) => `/${slug}`);
  const homePages = [
    ...STUDIO_PATHS.filter((path) => ![...toolPages, WITH_TOOLS].includes(path)),
    ...[DOCS, FALLBACK],
  ];
  const files = [...(await staticFiles(root)), ...(await publicFiles())];
  const named = await namedFiles(root, homePages);
  const ofHome = files.filter(
    ({ url, bytes }) =>
      named.has(url) ||
      url === ICON ||
      SHOWN.test(url) ||
      (url.startsWith(CHUNKS) && bytes <= SMALL_BYTES_MAX),
  );
  const parts: OfflinePart[] = [
    { id: 'home', title: 'Home', urls: [...homePages, ...ofHome.map(({ url }) => url)] },
    ...TOOL_LIST.map((tool) => ({
      id: tool.slug,
      title: tool.name,
      urls: [
        `/${tool.slug}`,
        WITH_TOOLS,
        ...files.filter(({ url, bytes }) => mayLoad(tool, url, bytes)).map(({ url }) => url),
      ],
    })),
  ];
  return { id, pages: [...homePages, ...toolPages, WITH_TOOLS], files, parts, renamed: FORMER_SLUGS };
}

/** Returns the scripts, styles and fonts that Next's manifests name for some pages. */
async function namedFiles(root: string, pages: readonly string[]): Promise<ReadonlySet<string>> {
  const manifests = pages.flatMap((page) => {
    const folder = join(root, 'server/app', page === DOCS ? '' : '(tools)', page);
    return [
      join(folder, 'page_client-reference-manifest.js'),
      join(folder, 'page/build-manifest.json'),
      join(folder, 'page/next-font-manifest.json'),
    ];
  });
  const texts = await Promise.all(manifests.map((path) => readFile(path, 'utf8')));
  const names = texts.flatMap((text) => text.match(NAMES) ?? []);
  return new Set(names.map((name) => `/_next/${name}`));
}

async function staticFiles(root: string): Promise<OfflineFile[]> {
  const folder = join(root, 'static');
  const names = await readdir(folder, { recursive: true });
  const { polyfillFiles } = JSON.parse(await readFile(join(root, 'build-manifest.json'), 'utf8'));
  // Only browsers without service workers run these.
  const polyfills = new Set<string>(polyfillFiles);
  const { GPL_ENCODERS } = readEnv();
  const files: OfflineFile[] = [];
  for (const name of names) {
    const url = STATIC + name;
    if (LEFT_OUT.test(name) || polyfills.has(`static/${name}`) || (!GPL_ENCODERS && isGplFilePath(url)))
      continue;
    const info = await stat(join(folder, name));
    if (!info.isFile()) continue;
    const copy = COPIES.map((extension) => name + extension).find((path) => names.includes(path));
    const sentBytes = copy ? (await stat(join(folder, copy))).size : info.size;
    files.push({ url, bytes: info.size, sentBytes });
  }
  return files;
}

/** Lists the icon and the samples, which are in the formats that they are sent in. */
async function publicFiles(): Promise<OfflineFile[]> {
  const samples = await readdir(join(process.cwd(), 'public', SAMPLES));
  const paths = [
    [ICON, 'app/icon.svg'],
    ...samples.map((name) => [SAMPLES + name, `public${SAMPLES}${name}`]),
  ];
  return Promise.all(
    paths.map(async ([url = '', path = '']) => {
      const { size } = await stat(join(process.cwd(), path));
      return { url, bytes: size, sentBytes: size };
    }),
  );
}

/** Reports whether a tool may load a static file. Small scripts are shared: every tool may. */
function mayLoad({ largeFiles = [] }: Tool, url: string, bytes: number): boolean {
  const name = url.slice(url.lastIndexOf('/') + 1);
  const isNamed = [...NAMED].some((start) => name.startsWith(start));
  if (isNamed) return largeFiles.some((start) => name.startsWith(start));
  // The only large chunk is the decoder of HEIC, for the tools that read images.
  return bytes < LARGE_BYTES_MIN || url.startsWith(CHUNK);
}
