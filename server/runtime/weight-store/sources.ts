import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { type NamedFault, weightsUnavailable } from '../../../models/core/inference/download-weights.ts';
import {
  type OpenedSource,
  parsePartResponse,
  type Source,
  SourceFault,
} from '../../../models/core/inference/weight-source.ts';
import { mirrorNames, type WeightCard } from '../../../models/core/runtime/weight-card.ts';
import { discardStream } from '../../base/streams.ts';

export const NO_SOURCE = 'no source is allowed (MODELS_OFFLINE is set and MODEL_MIRROR has none)';

export interface SourceOptions {
  /** Folder or base URL that is asked first; null without one. */
  readonly mirror: string | null;
  /** Asks only the mirror, and only if it is a folder. */
  readonly isOffline: boolean;
}

/** Lists the sources of a file, in order. */
export function listSources(card: WeightCard, { mirror, isOffline }: SourceOptions): Source[] {
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
      return { offset: start, bytesTotal: found.size, ...openedSource(createReadStream(path, { start })) };
    },
  };
}

const REDIRECTS_MAX = 5;

let client: ReturnType<typeof loadClient> | undefined;

/** Returns a client for sources. Most processes never download: they do not wait for its code either. */
function openClient() {
  client ??= loadClient();
  return client;
}

async function loadClient() {
  const { Agent, interceptors, request } = await import('undici');
  // A source that is silent this long counts as gone: the received bytes are kept, and the download resumes.
  const dispatcher = new Agent({
    connect: { timeout: 10_000 },
    headersTimeout: 30_000,
    bodyTimeout: 30_000,
  }).compose(interceptors.redirect({ maxRedirections: REDIRECTS_MAX }));
  return { request, dispatcher };
}

function httpSource(url: string): Source {
  return {
    name: new URL(url).host,
    mayHave: async () => true,
    async open(offset, signal) {
      // No If-Range: the final SHA-256 shows whether the parts belong together.
      const range = offset > 0 ? { range: `bytes=${offset}-` } : {};
      const headers = { ...range, 'accept-encoding': 'identity', 'user-agent': 'darkroom/1.0' };
      const { request, dispatcher } = await openClient();
      const response = await request(url, { dispatcher, signal, headers }).catch((cause) => {
        signal.throwIfAborted();
        throw new SourceFault(`cannot be reached (${errorCode(cause)})`, { isLasting: false, cause });
      });
      const { statusCode, headers: received, body } = response;
      if (statusCode === 416 && offset > 0) return openWholeFile(body, url, signal);
      try {
        const part = parsePartResponse(statusCode, (name) => received[name]?.toString() ?? null);
        return { ...part, ...openedSource(body) };
      } catch (fault) {
        discardStream(body);
        throw fault;
      }
    },
  };
}

/** Restarts from the beginning: the requested offset lies beyond the end, so the source has another file. */
function openWholeFile(refused: Readable, url: string, signal: AbortSignal): Promise<OpenedSource> {
  discardStream(refused);
  return httpSource(url).open(0, signal);
}

function openedSource(stream: Readable): Pick<OpenedSource, 'chunks' | 'cancel'> {
  // The iterator reports an error, but listens from the first read on: one before that would end this process.
  stream.on('error', () => {});
  return { chunks: getChunks(stream), cancel: () => discardStream(stream) };
}

async function* getChunks(stream: Readable): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  try {
    yield* stream;
  } catch (cause) {
    throw new SourceFault(`broke off (${errorCode(cause)})`, { isLasting: false, cause });
  }
}

export function errorCode(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
}

/**
 * Opens the bytes at the first source that has a file of the right size. They are not verified.
 * @throws OperationError `unavailable` naming each source and its fault; the signal's reason once aborted
 */
export async function openAnySource(
  card: WeightCard,
  options: SourceOptions,
  { offset, signal }: { readonly offset: number; readonly signal: AbortSignal },
): Promise<OpenedSource> {
  const faults: NamedFault[] = [];
  for (const source of listSources(card, options)) {
    try {
      return await openFrom(source, card, offset, signal);
    } catch (fault) {
      if (!(fault instanceof SourceFault)) throw fault;
      faults.push({ name: source.name, fault });
    }
  }
  throw weightsUnavailable(card, faults, NO_SOURCE);
}

/** Opens a file of the right size. @throws SourceFault */
async function openFrom(
  source: Source,
  card: WeightCard,
  offset: number,
  signal: AbortSignal,
): Promise<OpenedSource> {
  const opened = await source.open(offset, signal);
  if (card.bytes === null || opened.bytesTotal === card.bytes) return opened;
  opened.cancel();
  throw new SourceFault('has a file of another size', { isLasting: true, isWrong: true });
}

/** Confirmation by the sources of a file: one has it, one that responds has another file, or none responds with it. */
export type Confirmation = 'reached' | 'wrong' | 'missing';

/** Asks all sources of a file at once, so that one that is silent delays none. */
export async function confirmSources(
  card: WeightCard,
  options: SourceOptions,
  signal: AbortSignal,
): Promise<Confirmation> {
  const faults: unknown[] = [];
  const ask = async (source: Source) => {
    try {
      (await openFrom(source, card, 0, signal)).cancel();
    } catch (fault) {
      faults.push(fault);
      throw fault;
    }
  };
  return await Promise.any(listSources(card, options).map(ask)).then(
    () => 'reached',
    () => (faults.some((fault) => fault instanceof SourceFault && fault.isWrong) ? 'wrong' : 'missing'),
  );
}
