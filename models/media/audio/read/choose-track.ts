import { OperationError } from '../../../core/operation/errors.ts';
import type { PcmChunk } from '../../../core/runtime/pcm.ts';
import type { OpenedAudio } from './open-audio.ts';
import { otherTrackNumbers, unlessRefused } from './other-tracks.ts';

/** Peak under which sound is silence: -80 dB. */
const SILENCE_PEAK = 1e-4;
/** Length in which a track is listened to. */
const LISTENED_SECONDS = 600;

/**
 * Chooses the track of a file that is heard: the one that players begin with, or the first that is not silent.
 * @param open opens a track by its number, or the one that players begin with
 * @param decode starts decoding it. One that cannot be decoded counts as silent
 * @param sampleRate of decoded samples, in Hz
 * @throws OperationError of `open` for the first track
 */
export async function chooseTrack(
  open: (trackNumber?: number) => Promise<OpenedAudio>,
  decode: (opened: OpenedAudio) => AsyncIterable<PcmChunk>,
  sampleRate: number,
): Promise<OpenedAudio> {
  const isHeard = async (opened: OpenedAudio) =>
    await findSound(decode(opened), LISTENED_SECONDS * sampleRate).catch(isMissingDecoder);
  const usual = await open();
  const { track } = usual.facts;
  if (!track || (await isHeard(usual))) return usual;
  for (const number of otherTrackNumbers(track)) {
    const other = await open(number).catch(unlessRefused);
    if (other && (await isHeard(other))) return other;
  }
  return usual;
}

/** Reports whether the first samples of a track are not all silent. */
async function findSound(chunks: AsyncIterable<PcmChunk>, framesMax: number): Promise<boolean> {
  let frames = 0;
  for await (const chunk of chunks) {
    if (chunk.some((samples) => samples.some((sample) => Math.abs(sample) > SILENCE_PEAK))) return true;
    frames += chunk[0]?.length ?? 0;
    if (frames > framesMax) return false;
  }
  return false;
}

/** Reports whether only this device cannot decode a track: others can hear it. */
function isMissingDecoder(thrown: unknown): boolean {
  if (thrown instanceof OperationError) return thrown.code === 'unavailable';
  throw thrown;
}
