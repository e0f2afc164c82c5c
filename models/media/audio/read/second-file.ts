import type { AudioContainer } from '../../../core/runtime/audio-codec.ts';
import { ByteReader } from '../../bytes/byte-reader.ts';
import { ByteWindow } from '../../bytes/byte-window.ts';
import { BoxReader } from '../../containers/box-reader.ts';
import { mendMatroska } from '../../containers/repair/mend-matroska.ts';
import { getMeasurement } from './measure-file.ts';
import { openTracks } from './open-tracks.ts';

/**
 * Starts of files in Latin-1, for containers of which readers play the first of joined files. They are too long for
 * samples to hold them by chance. A dot stands for bytes that vary, or that decoders of Latin-1 change.
 */
const STARTS: Partial<Record<AudioContainer, RegExp>> = {
  flac: /fLaC\0\0\0"/,
  wav: /(?:RIFF|RF64).{4}WAVE(?:fmt |JUNK|bext|ds64)/s,
  w64: /riff\..\xcf.{17}wave\xf3/s,
  aiff: /FORM.{4}AIF[CF](?:COMM|FVER)/s,
  asf: /0&\xb2u.f\xcf.\xa6\xd9\0\xaa\0b\xcel/s,
  tta: /TTA1[^ -~]\0[^ -~]\0[^ -~]\0/,
  caf: /caff\0[^ -~]\0\0desc\0/,
  flv: /FLV[^ -~]{2}\0\0\0\t\0{4}/,
};

const WINDOW_BYTES = 1_048_576;
/** Longer than any start. */
const START_BYTES = 64;
const BOX_READS_MAX = 16_384;
/** Time by which the times of a joined file go back, at least. */
const BACK_SECONDS = 1;

/**
 * Finds where a second file begins behind the first; null where none is found, and for containers that have no telling
 * start. It reads all of the file, as decoding does.
 */
export async function findSecondStart(
  file: Blob,
  container: AudioContainer,
  signal: AbortSignal,
): Promise<number | null> {
  const start = STARTS[container];
  const bytes = new ByteReader(file, signal);
  const latin1 = new TextDecoder('latin1');
  for (let at = 1; start && at < file.size; at += WINDOW_BYTES) {
    const found = start.exec(latin1.decode(await bytes.read(at, WINDOW_BYTES + START_BYTES)));
    if (found) return at + found.index;
  }
  return null;
}

/** Reports whether a second file follows in other containers. One that FFmpeg reads has been measured. */
export async function holdsSecondFile(
  file: Blob,
  container: AudioContainer,
  signal: AbortSignal,
): Promise<boolean> {
  if (container === 'mkv' || container === 'webm') return (await mendMatroska(file)).isJoined;
  if (container === 'mpegts') return await goesBack(file, signal);
  if (container === 'mpeg') {
    const streams = (await getMeasurement(file))?.file.streams ?? [];
    return streams.some(({ isAudio, times }) => isAudio && times.backSeconds > BACK_SECONDS);
  }
  return (container === 'mp4' || container === 'mov') && (await hasTwoTypes(file));
}

/** Reports whether a second file type box stands at the top of a file: ISO 14496-12, 4.3. */
async function hasTwoTypes(file: Blob): Promise<boolean> {
  const reader = new BoxReader(new ByteWindow(file, { noun: 'video', readsMax: BOX_READS_MAX }));
  const boxes = await reader.boxes({ type: '', start: 0, end: file.size }).catch(() => []);
  return boxes.filter(({ type }) => type === 'ftyp').length > 1;
}

/** Reports whether the times of the packets of a transport stream go back. */
async function goesBack(file: Blob, signal: AbortSignal): Promise<boolean> {
  const { audio, input, unbind } = await openTracks(file, 'mpegts', { signal });
  unbind();
  if (!audio) {
    input.dispose();
    return false;
  }
  const { EncodedPacketSink } = await import('mediabunny');
  const packets = new EncodedPacketSink(audio).packets(undefined, undefined, { metadataOnly: true });
  let latest = Number.NEGATIVE_INFINITY;
  try {
    for await (const { timestamp } of packets) {
      signal.throwIfAborted();
      if (timestamp < latest - BACK_SECONDS) return true;
      latest = timestamp;
    }
  } catch {
    // Decoding tells of damage.
    signal.throwIfAborted();
  } finally {
    input.dispose();
  }
  return false;
}
