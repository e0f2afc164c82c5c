/** File of a build, as a browser caches it. */
export interface OfflineFile {
  readonly url: string;
  /** Size once it is stored; 0 for a page, which is rendered per request. */
  readonly bytes: number;
  /** Size on the wire, compressed; 0 for a page. */
  readonly sentBytes: number;
}

/** Pages that work without a network once all their files are cached: the home page and its like, or one tool. */
export interface OfflinePart {
  readonly id: string;
  readonly title: string;
  /** Paths of pages, and of the files that they need. Parts share files. */
  readonly urls: readonly string[];
}

/** Build that is being served. The service worker (public/offline.js) begins with it. */
export interface OfflineBuild {
  /** Changes with every build. */
  readonly id: string;
  readonly pages: readonly string[];
  readonly files: readonly OfflineFile[];
  /** The first is cached at the first visit, each other when its tool is opened. */
  readonly parts: readonly OfflinePart[];
  /** Former ids of parts, whose pages had that path, with today's. */
  readonly renamed: Readonly<Record<string, string>>;
}

/** Title of the first part. */
export const HOME_TITLE = 'Home';

/** URLs in a build's cache. */
export type CachedUrls = ReadonlySet<string>;

export function isReady({ urls }: OfflinePart, cached: CachedUrls): boolean {
  return urls.every((url) => cached.has(url));
}

/** Returns the files of some parts that are not cached, each once. Pages come last: they need the others. */
export function missingFiles(
  build: OfflineBuild,
  parts: readonly OfflinePart[],
  cached: CachedUrls,
): OfflineFile[] {
  const wanted = new Set(parts.flatMap(({ urls }) => urls));
  const pages = build.pages.map((url) => ({ url, bytes: 0, sentBytes: 0 }));
  return [...build.files, ...pages].filter(({ url }) => wanted.has(url) && !cached.has(url));
}

/** Returns what deleting a part deletes: its cached files, without those that another complete part needs. */
export function deletableUrls(build: OfflineBuild, part: OfflinePart, cached: CachedUrls): string[] {
  const others = build.parts.filter(
    (other) => other !== part && (other === build.parts[0] || isReady(other, cached)),
  );
  const needed = new Set(others.flatMap(({ urls }) => urls));
  return part.urls.filter((url) => cached.has(url) && !needed.has(url));
}

/** Returns the size of some stored files. */
export function storedBytes(build: OfflineBuild, urls: Iterable<string>): number {
  const wanted = new Set(urls);
  return build.files.reduce((sum, { url, bytes }) => sum + (wanted.has(url) ? bytes : 0), 0);
}

export function getSentBytes(files: readonly OfflineFile[]): number {
  return files.reduce((sum, { sentBytes }) => sum + sentBytes, 0);
}
