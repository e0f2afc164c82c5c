import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Agent, interceptors, request } from 'undici';
import { mirrorNames, type WeightCard } from '../../../models/weights/weight-card.ts';

/** Why a source did not give the bytes. `isLasting`: asking again would change nothing. */
export class SourceFault extends Error {
  override readonly name = 'SourceFault';
  readonly isLasting: boolean;

  constructor(message: string, { isLasting, cause }: { isLasting: boolean; cause?: unknown }) {
    super(message, { cause });
    this.isLasting = isLasting;
  }
}

export interface OpenedSource {
  /** Where in the file the stream begins: as asked, or 0 when the source cannot begin there. */
  readonly offset: number;
  /** Of the whole file; null when the source does not say. */
  readonly bytesTotal: number | null;
  readonly stream: Readable;
}

/** A place that may hold a file of weights. */
export interface Source {
  /** For messages that users see: no path, no whole URL. */
  readonly name: string;
  /** Whether asking is worth it. */
  mayHave(): Promise<boolean>;
  /** @throws SourceFault */
  open(offset: number, signal: AbortSignal): Promise<OpenedSource>;
}

export interface SourceOptions {
  /** A folder or a base URL that is asked first; null without one. */
  readonly mirror: string | null;
  /** Only the mirror is asked, and only when it is a folder. */
  readonly isOffline: boolean;
}

/** Where to ask for a file, in this order. */
export function sourcesOf(card: WeightCard, { mirror, isOffline }: SourceOptions): Source[] {
  const sources: Source[] = [];
  const isRemoteMirror = mirror !== null && /^https?:\/\//.test(mirror);
  if (mirror !== null && !isRemoteMirror) {
    sources.push(...mirrorNames(card).map((name) => fileSource(join(mirror, name))));
  }
  if (isOffline) return sources;
  if (isRemoteMirror) sources.push(...mirrorNames(card).map((name) => httpSource(`${mirror}/${name}`)));
  if (card.url !== null) sources.push(httpSource(card.url));
  return sources;
}

function fileSource(path: string): Source {
  const find = () =>
    stat(path).then(
      (found) => (found.isFile() ? found : null),
      () => null,
    );
  return {
    name: 'the mirror',
    mayHave: async () => (await find()) !== null,
    async open(offset) {
      const found = await find();
      if (!found) throw new SourceFault('has no such file', { isLasting: true });
      const start = offset < found.size ? offset : 0;
      return { offset: start, bytesTotal: found.size, stream: createReadStream(path, { start }) };
    },
  };
}

const REDIRECTS_MAX = 5;

// A source that is silent this long is as good as gone: what has come is kept, and asked on from there.
const agent = new Agent({
  connect: { timeout: 10_000 },
  headersTimeout: 30_000,
  bodyTimeout: 30_000,
}).compose(interceptors.redirect({ maxRedirections: REDIRECTS_MAX }));

function httpSource(url: string): Source {
  return {
    name: new URL(url).host,
    mayHave: async () => true,
    async open(offset, signal) {
      // No If-Range: the SHA-256 at the end tells for certain whether the halves belong together.
      const range = offset > 0 ? { range: `bytes=${offset}-` } : {};
      const headers = { ...range, 'accept-encoding': 'identity', 'user-agent': 'darkroom/1.0' };
      const response = await request(url, { dispatcher: agent, signal, headers }).catch((cause) => {
        signal.throwIfAborted();
        throw new SourceFault(`cannot be reached (${codeOf(cause)})`, { isLasting: false, cause });
      });
      if (response.statusCode === 416) return wholeFile(response.body, url, signal);
      if (response.statusCode !== 200 && response.statusCode !== 206) {
        response.body.on('error', () => {}).destroy();
        const isLasting = response.statusCode < 500 && response.statusCode !== 429;
        throw new SourceFault(`answered with status ${response.statusCode}`, { isLasting });
      }
      return { ...partOf(response), stream: response.body };
    },
  };
}

/** What is asked for lies behind the end: the file there is another one, so it is taken from its start. */
function wholeFile(refused: Readable, url: string, signal: AbortSignal): Promise<OpenedSource> {
  refused.on('error', () => {}).destroy();
  return httpSource(url).open(0, signal);
}

interface HttpAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Which part of which size an answer carries: RFC 9110, section 14.4. */
function partOf({ statusCode, headers }: HttpAnswer): { offset: number; bytesTotal: number | null } {
  if (statusCode === 200) return { offset: 0, bytesTotal: wholeNumber(headers['content-length']) };
  const [, start, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(String(headers['content-range'])) ?? [];
  if (start === undefined) {
    throw new SourceFault('answered a range request without a Content-Range', { isLasting: true });
  }
  return { offset: Number(start), bytesTotal: wholeNumber(total) };
}

function wholeNumber(text: string | string[] | undefined): number | null {
  return typeof text === 'string' && /^\d+$/.test(text) ? Number(text) : null;
}

export function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
}
