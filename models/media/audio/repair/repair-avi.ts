import { OperationError } from '../../../core/operation/errors.ts';
import type { TimeSpan } from '../../../kernels/audio/speech-regions.ts';
import { ByteReader } from '../formats/byte-reader.ts';
import { type AviAudio, type AviChunk, readAviLayout } from '../formats/riff/avi.ts';
import { type AviGap, AviGapFinder, amountOf, NOTHING, sumOf, WRITTEN_MAX } from './avi-gaps.ts';
import { estimateLoss } from './estimate-loss.ts';
import { listedChunks } from './listed-chunks.ts';

const HEAD_BYTES = 8;
const FILLING_BYTES = 1_000_000;
/** Bytes that decoders of uncompressed codings render as silence, where it is not 0. */
const SILENT_BYTES: Readonly<Record<string, number>> = { pcm_8: 0x80, ulaw: 0xff, alaw: 0xd5 };

/** AVI file whose damaged chunks are replaced by silent ones of the same length. */
interface RepairedAvi {
  readonly file: Blob;
  readonly isRepaired: boolean;
  /** Silence of the track in their place, in seconds of its own clock. */
  readonly silence: readonly TimeSpan[];
}

/**
 * Replaces the damaged chunks of an AVI file by silence of the same length, so that readers, which count time by chunks
 * and their bytes, keep the place of what follows. What was there is told by the index; without one, by the length that
 * the header states, and by the share of the track in the rest of the file.
 * @param trackNumber audio track, from 1
 * @returns the same file where nothing is damaged
 */
export async function repairAvi(file: Blob, trackNumber: number): Promise<RepairedAvi> {
  const layout = await readAviLayout(new ByteReader(file)).catch((thrown: unknown) => {
    if (thrown instanceof OperationError) return null;
    throw thrown;
  });
  const track = layout?.audio[trackNumber - 1];
  const whole = { file, isRepaired: false, silence: [] };
  if (!layout || !track) return whole;
  const found = await new AviGapFinder(file, layout, track).find();
  if (found.gaps.length === 0) return whole;
  const lost =
    layout.index.length > 0 ? listedChunks(found.gaps, layout.index) : estimateLoss(found, layout, track);
  const silence: TimeSpan[] = [];
  let before = NOTHING;
  for (const [at, gap] of found.gaps.entries()) {
    const start = secondsOf(sumOf(gap.before, before), track);
    before = sumOf(before, amountOf(lost[at] ?? [], track));
    silence.push({ start, end: secondsOf(sumOf(gap.before, before), track) });
  }
  const chunks = found.gaps.flatMap((gap, at) => filled(gap, lost[at] ?? []));
  const filling = new Blob([new Uint8Array(FILLING_BYTES).fill(SILENT_BYTES[track.format.codec] ?? 0)]);
  return { file: patched(file, chunks.slice(0, WRITTEN_MAX), filling), isRepaired: true, silence };
}

/** Adds a chunk of nothing to those of a gap that do not fill it. */
function filled({ start, end }: AviGap, chunks: readonly AviChunk[]): readonly AviChunk[] {
  const last = chunks.at(-1);
  const at = last ? last.at + HEAD_BYTES + last.size + (last.size % 2) : start;
  const size = end - at - HEAD_BYTES;
  return size < 0 ? chunks : [...chunks, { at, id: 'JUNK', size }];
}

function secondsOf({ bytes, chunks }: typeof NOTHING, { bytesASecond, chunkSeconds }: AviAudio): number {
  return bytesASecond > 0 ? bytes / bytesASecond : chunks * chunkSeconds;
}

/** Writes chunks over a file. @param filling bytes of their bodies, which share them: a gap may have gigabytes */
function patched(file: Blob, chunks: readonly AviChunk[], filling: Blob): Blob {
  const parts: Blob[] = [];
  let done = 0;
  for (const { at, id, size } of chunks) {
    const head = new Uint8Array(HEAD_BYTES);
    head.set(new TextEncoder().encode(id));
    new DataView(head.buffer).setUint32(4, size, true);
    const whole = Array<Blob>(Math.floor(size / filling.size)).fill(filling);
    parts.push(file.slice(done, at), new Blob([head]), ...whole, filling.slice(0, size % filling.size));
    done = at + HEAD_BYTES + size;
  }
  return new Blob([...parts, file.slice(done)]);
}
