import { modelMismatch } from '../../core/inference/model-errors.ts';
import type { Session } from '../../core/runtime/inference.ts';
import { getFloats } from '../../core/runtime/tensor.ts';
import { FBANK_BANDS, FBANK_HOP, Fbank } from './fbank.ts';
import { toUnitLength } from './find-speakers.ts';
import type { LocalVoice } from './join-windows.ts';
import { FRAME_OFFSET, FRAME_STEP, LOCAL_SPEAKERS } from './segment.ts';
import { SegmentedWindows } from './segmented-windows.ts';
import { AUDIO_DIARIZE_WEIGHTS } from './weights.ts';

export const SEGMENTATION_CARD = AUDIO_DIARIZE_WEIGHTS['pyannote-segmentation-3.0'];
export const WESPEAKER_CARD = AUDIO_DIARIZE_WEIGHTS['wespeaker-resnet34-lm'];
export const WESPEAKER_LENGTH = 256;

/** Samples from one window to the next: 1 s. */
const WINDOW_STEP = 16_000;
/** Frames of the filter bank under which a voice is not embedded: 0.2 s. */
const EMBEDDED_MIN = 20;

/**
 * Segments a stream in overlapping windows, and embeds each voice in each.
 * @returns windows, which take samples at 16 kHz; they fill the voices, and their embeddings of length 1
 */
export function segmentLocally(segmentation: Session, speakers: Session, signal: AbortSignal) {
  const voices: LocalVoice[] = [];
  const embeddings: Float32Array[] = [];
  const windows = new SegmentedWindows(segmentation, {
    card: SEGMENTATION_CARD,
    signal,
    step: WINDOW_STEP,
    /** Embeds each speaker by the frames without others; by all frames where those are too few. */
    async onWindow({ speakers: activity }, samples) {
      if (activity.every((bits) => bits === 0)) return;
      const bands = new Fbank().push(samples);
      for (let speaker = 0; speaker < LOCAL_SPEAKERS; speaker++) {
        const bit = 1 << speaker;
        const alone = bands.filter((_, at) => activity[frameAt(at)] === bit);
        const heard = bands.filter((_, at) => (activity[frameAt(at)] ?? 0) & bit);
        const chosen = alone.length >= EMBEDDED_MIN ? alone : heard;
        if (chosen.length < EMBEDDED_MIN) continue;
        voices.push({ window: windows.activities.length, speaker });
        embeddings.push(await embedFrames(chosen));
      }
    },
  });
  return { windows, voices, embeddings };

  async function embedFrames(bands: readonly Float32Array[]): Promise<Float32Array> {
    const dims = [1, bands.length, FBANK_BANDS];
    const feats = { type: 'float32', dims, data: withoutMean(bands) } as const;
    const { outputs } = await speakers.run({ feats }, signal);
    if (outputs.embs?.data.length !== WESPEAKER_LENGTH)
      throw modelMismatch(WESPEAKER_CARD, 'describe a voice');
    return toUnitLength(getFloats(outputs.embs));
  }
}

/** Returns the frame of the segmentation at the middle of a frame of the filter bank. */
function frameAt(band: number): number {
  return Math.max(0, Math.round((band * FBANK_HOP + 200 - FRAME_OFFSET) / FRAME_STEP));
}

/** Joins frames, less the mean of each band. */
function withoutMean(bands: readonly Float32Array[]): Float32Array<ArrayBuffer> {
  const means = new Float64Array(FBANK_BANDS);
  for (const frame of bands) {
    frame.forEach((value, band) => {
      means[band] = means[band] + value / bands.length;
    });
  }
  const joined = new Float32Array(bands.length * FBANK_BANDS);
  bands.forEach((frame, at) => {
    frame.forEach((value, band) => {
      joined[at * FBANK_BANDS + band] = value - means[band];
    });
  });
  return joined;
}
