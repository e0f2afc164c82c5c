import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isGplFilePath } from '../../server/api/transport/paths.ts';
import { readEnv } from '../../server/base/env.ts';
import { FORMER_SLUGS } from '../studio/tools/addresses.ts';
import type { Tool } from '../studio/tools/tool.ts';
import { STUDIO_PATHS, TOOL_LIST } from '../studio/tools/tools.ts';
import { HOME_TITLE, type OfflineBuild, type OfflineFile, type OfflinePart } from './offline-build.ts';

/** Scripts and programs from this size on are cached for the tools that use them, not for all. */
const LARGE_BYTES_MIN = 1_000_000;

/** The bundler names a package's program or model after its file, and a script chunk by its content alone. */
const CHUNK = '/_next/static/chunks/';

const NAMED = new Set(TOOL_LIST.flatMap(({ largeFiles = [] }) => largeFiles));

/** Page for whatever is not cached. */
const FALLBACK = '/offline';

/** The settings run a worker, whose scripts come with the tools. */
const WITH_TOOLS = '/settings';

/** One route serves all tools. */
const TOOL_PAGE = '/[tool]';

/** Stands outside of the studio: without its own scripts it costs little. */
const DOCS = '/docs';

const STATIC = '/_next/static/';

const ICON = '/icon.svg';

const SAMPLES = '/samples/';

/** Images in the sizes that pages show, by the widths at the ends of their names. */
const SHOWN = /-\d+\.(avif|webp)$/;

/** Scripts up to this size, which pages load when they need them, are cached at the first visit of any page. */
const SMALL_BYTES_MAX = 50_000;

/** Compressed copies, best first. They share the URL of their file: a browser asks for one by a header. */
const COPIES = ['.br', '.gz'];

/** Images for other sites and home screens are not needed offline. */
const LEFT_OUT = /\.(map|ts|br|gz)$|\/(opengraph-image|apple-icon|icon-\d+|maskable-\d+)\./;

/** Names of static files in Next's manifests, and in scripts that load others. */
const NAMES = /static\/(?:chunks|media)\/[\w.~-]+/g;

/** Scripts of a worker, in the script that starts it. It needs large programs as well, and comes with its tools. */
const OF_WORKER = /"static\/chunks\/turbopack-worker-[^"]*",\[[^\]]*\]/g;

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
  const loadedLater = await filesLoadedBy(root, [
    ...named,
    ...(await namedFiles(root, [TOOL_PAGE, WITH_TOOLS])),
  ]);
  const ofHome = files.filter(
    ({ url, bytes }) =>
      named.has(url) || url === ICON || SHOWN.test(url) || (bytes <= SMALL_BYTES_MAX && loadedLater.has(url)),
  );
  const parts: OfflinePart[] = [
    { id: 'home', title: HOME_TITLE, urls: [...homePages, ...ofHome.map(({ url }) => url)] },
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
      join(folder, 'page/react-loadable-manifest.json'),
      join(folder, 'page/next-font-manifest.json'),
    ];
  });
  const texts = await Promise.all(manifests.map((path) => readFile(path, 'utf8')));
  const names = texts.flatMap((text) => text.match(NAMES) ?? []);
  return new Set(names.map((name) => `/_next/${name}`));
}

/** Returns some files, with those that scripts among them load later, and what these load in turn. */
async function filesLoadedBy(root: string, urls: readonly string[]): Promise<ReadonlySet<string>> {
  const loaded = new Set(urls);
  // The loop also visits what it adds.
  for (const url of loaded) {
    if (!url.endsWith('.js')) continue;
    const script = await readFile(join(root, url.replace('/_next/', '')), 'utf8');
    for (const name of script.replace(OF_WORKER, '').match(NAMES) ?? []) loaded.add(`/_next/${name}`);
  }
  return loaded;
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
