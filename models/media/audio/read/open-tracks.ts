import type { Input, InputAudioTrack } from 'mediabunny';
import { getMessage, OperationError } from '../../../core/operation/errors.ts';
import type { AudioContainer, HeardTrack } from '../../../core/runtime/audio-codec.ts';
import { assertBoundedTables } from '../../containers/assert-bounded-tables.ts';
import { failOnRepeatedReads } from '../../containers/bounded-reads.ts';

/** Limit on the other tracks that are tried: each may have to be decoded in vain. */
const OTHERS_MAX = 8;
/** Time limit of a probe. */
const PROBE_MS_MAX = 20_000;
/** Limit for containers that hold their structure in headers and indexes. */
const HEADER_BYTES_MAX = 128_000_000;
const CACHE_BYTES = 4_194_304;
/** Containers whose length is known only after a visit to every frame. */
const FRAMED = new Set<AudioContainer>(['mp3', 'aac', 'flac', 'mpegts']);

/** Tracks of a container in mediabunny's reader, which is bounded until `unbind` is called. */
export interface OpenedTracks {
  readonly input: Input;
  /** Null when the file has no audio. */
  readonly audio: InputAudioTrack | null;
  /** Number of audio tracks. */
  readonly audioCount: number;
  readonly hasVideo: boolean;
  /** Ends the limits on bytes and time, which are for probing: decoding reads all of the file. */
  unbind(): void;
}

/**
 * Opens a container with mediabunny, which is loaded on first use. It accepts untrusted bytes: until `unbind`
 * it reads at most 128 MB, or twice the file where frames have to be visited one by one, and for at most 20 s.
 * @param trackNumber audio track, from 1; the one that players begin with when absent
 * @throws OperationError `bad_request` when the container is damaged or needs more than that
 */
export async function openTracks(
  file: Blob,
  container: AudioContainer,
  {
    signal,
    trackNumber,
  }: { readonly signal?: AbortSignal | undefined; readonly trackNumber?: number | undefined } = {},
): Promise<OpenedTracks> {
  const { CustomSource, Input, Logging, LogLevel, ...formats } = await import('mediabunny');
  // Failures are thrown; mediabunny's own lines would only disturb the log of the process.
  Logging.level = LogLevel.Silent;
  const { ADTS, FLAC, MATROSKA, MP3, MP4, MPEG_TS, OGG, QTFF, WAVE, WEBM } = formats;
  await assertBoundedTables(file);
  const guard = new ReadGuard(file.size, container, signal);
  const custom = new CustomSource({
    getSize: () => file.size,
    read: async (start, end) => {
      guard.count(end - start);
      return new Uint8Array(await file.slice(start, end).arrayBuffer());
    },
    maxCacheSize: CACHE_BYTES,
    prefetchProfile: 'fileSystem',
    // The read that needs the bytes throws as well.
    handleUnhandledError: () => {},
  });
  const source = failOnRepeatedReads(custom);
  const input = new Input({
    source,
    formats: [MP4, QTFF, WEBM, MATROSKA, OGG, WAVE, FLAC, MP3, ADTS, MPEG_TS],
  });
  return wrapReadErrors(async () => {
    const all = await input.getAudioTracks();
    const wanted = all.find(({ number }) => number === trackNumber);
    const audio = wanted ?? (await input.getPrimaryAudioTrack());
    const hasVideo = (await input.getPrimaryVideoTrack()) !== null;
    return { input, audio, audioCount: all.length, hasVideo, unbind: () => guard.unbind() };
  });
}

/**
 * Runs a step of reading a container. @throws OperationError `bad_request` for whatever the container's reader throws
 */
export async function wrapReadErrors<Result>(step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (thrown) {
    const isOwn =
      thrown instanceof OperationError || (thrown instanceof Error && thrown.name === 'AbortError');
    if (isOwn) throw thrown;
    throw new OperationError('bad_request', 'The audio is damaged. Export it again.', {
      kind: 'damaged',
      cause: getMessage(thrown),
    });
  }
}

class ReadGuard {
  readonly #signal: AbortSignal | undefined;
  #bytesLeft: number;
  #endsAtMs = performance.now() + PROBE_MS_MAX;

  constructor(fileBytes: number, container: AudioContainer, signal?: AbortSignal) {
    this.#signal = signal;
    this.#bytesLeft = FRAMED.has(container) ? 2 * fileBytes + HEADER_BYTES_MAX : HEADER_BYTES_MAX;
  }

  count(bytes: number): void {
    this.#signal?.throwIfAborted();
    this.#bytesLeft -= bytes;
    if (this.#bytesLeft >= 0 && performance.now() <= this.#endsAtMs) return;
    throw new OperationError('bad_request', 'The audio takes too long to read. Export it again.');
  }

  unbind(): void {
    this.#bytesLeft = Number.POSITIVE_INFINITY;
    this.#endsAtMs = Number.POSITIVE_INFINITY;
  }
}

/** Lists the numbers of the tracks that may be heard in place of a silent one, in their order. */
export function otherTrackNumbers(track: HeardTrack | undefined): readonly number[] {
  if (!track) return [];
  const numbers = Array.from({ length: Math.min(track.count, OTHERS_MAX + 1) }, (_, at) => at + 1);
  return numbers.filter((number) => number !== track.number).slice(0, OTHERS_MAX);
}

/** Returns null for a track that is refused, which no operation hears. Throws all other errors. */
export function unlessRefused(thrown: unknown): null {
  if (thrown instanceof OperationError) return null;
  throw thrown;
}
