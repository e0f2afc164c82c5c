import type { ModelEngine } from '../inference/engine-ladder.ts';
import type { TimeSpan } from '../kernels/audio/speech-regions.ts';
import type { DecodedAudio } from '../runtime/audio-codec.ts';
import type { StepsOfRun } from '../runtime/steps.ts';
import { assignSpeakers } from './assign-speakers.ts';
import { SEGMENTED_ENGINE } from './engines.ts';
import { type DiarizeOptions, feedSamples, filterBank, joinSinks } from './feed-samples.ts';
import { findSpeech } from './find-speech.ts';
import { refineTurns } from './segmentation/refine-turns.ts';
import type { Segment } from './segmentation/segment.ts';
import { SegmentedWindows } from './segmentation/segmented-windows.ts';
import { SPEAKER_CARD, SpeakerEmbeddings } from './speaker-embeddings.ts';
import { speechWindows } from './speech-windows.ts';
import { VAD_CARD } from './voice-activity.ts';
import { AUDIO_DIARIZE_WEIGHTS } from './weights.ts';

const CARD = AUDIO_DIARIZE_WEIGHTS['pyannote-segmentation-3.0-int8'];
/** Samples from one window of the segmentation to the next, 2 s: half the time of 1 s, and as good. */
const WINDOW_STEP = 32_000;

/**
 * Returns the engine of the small segmentation: Silero VAD finds speech, since the segmentation hears speech in music;
 * the speaker network compares its windows, as in the bundled engine; the segmentation says where turns end, and where
 * two people speak. The audio is decoded twice, so that memory does not grow with its length.
 * @param audio mono, 16 kHz
 */
export function segmentedEngine(
  audio: DecodedAudio,
  options: DiarizeOptions,
  { step }: StepsOfRun<'finding speech' | 'comparing voices'>,
): ModelEngine<readonly Segment[]> {
  const { inference, signal } = options;
  return {
    id: SEGMENTED_ENGINE,
    card: CARD,
    async run(session) {
      const { regions, channel, ...found } = await inference.use(VAD_CARD, { signal }, (detector) =>
        step('finding speech', (progress) => findSpeech(audio, detector, { signal, progress })),
      );
      const windows = speechWindows(regions);
      if (windows.length === 0) return { value: [], ...found };
      const mayHaveSpeech = (span: TimeSpan) =>
        regions.some(({ start, end }) => start < span.end && end > span.start);
      const segmented = new SegmentedWindows(session, {
        card: CARD,
        signal,
        step: WINDOW_STEP,
        mayHaveSpeech,
      });
      const embeddings = await inference.use(SPEAKER_CARD, { signal }, async (speakers) => {
        const embedding = new SpeakerEmbeddings(speakers, windows, signal);
        await step('comparing voices', (progress) =>
          feedSamples(audio, joinSinks(filterBank(embedding), segmented), progress, channel),
        );
        return embedding.values;
      });
      const segments = assignSpeakers(regions, windows, embeddings, options.speakerCount);
      return {
        value: refineTurns(segments, segmented.activities, audio.frameCount / audio.sampleRate),
        provider: segmented.provider,
        notices: [...found.notices, ...segmented.notices],
      };
    },
  };
}
