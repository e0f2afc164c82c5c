import type { ModelEngine } from '../../core/inference/engine-ladder.ts';
import type { DecodedAudio } from '../../core/runtime/audio-codec.ts';
import type { Session } from '../../core/runtime/inference.ts';
import type { StepsOfRun } from '../../core/runtime/progress.ts';
import type { TimeSpan } from '../../kernels/audio/speech-regions.ts';
import { assignParts, joinParts } from './assign-speakers.ts';
import { SEGMENTED_ENGINE } from './engines.ts';
import { type DiarizeOptions, feedChannels, filterBank, joinSinks } from './feed-samples.ts';
import { findSpeech } from './find-speech.ts';
import { refineTurns } from './join-windows.ts';
import type { Segment } from './segment.ts';
import { SegmentedWindows } from './segmented-windows.ts';
import { SPEAKER_CARD, SpeakerEmbeddings } from './speaker-embeddings.ts';
import { withWindows } from './speech-windows.ts';
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
      const { parts, echo, ...found } = await inference.use(VAD_CARD, { signal }, (detector) =>
        step('finding speech', (progress) => findSpeech(audio, detector, { signal, progress })),
      );
      const spoken = withWindows(parts);
      if (spoken.length === 0) return { value: [], ...found };
      const heard = await inference.use(SPEAKER_CARD, { signal }, async (speakers) => {
        const listening = spoken.map((part) => ({
          part,
          embedding: new SpeakerEmbeddings(speakers, part.windows, signal),
          segmented: getSegmentation(session, part.regions, signal),
        }));
        const sinks = new Map(
          listening.map(({ part, embedding, segmented }) => [
            part.channel,
            joinSinks(filterBank(embedding), segmented),
          ]),
        );
        await step('comparing voices', (progress) => feedChannels(audio, sinks, progress, { echo }));
        return listening.map(({ part, embedding, segmented }) => ({
          ...part,
          segmented,
          embeddings: embedding.values,
        }));
      });
      const endSeconds = audio.frameCount / audio.sampleRate;
      const assigned = await assignParts(heard, signal, options.speakerCount);
      const turns = heard.map(({ segmented }, at) =>
        refineTurns(assigned[at], segmented.activities, endSeconds),
      );
      const segmentations = heard.map(({ segmented }) => segmented);
      return {
        value: joinParts(turns, options.speakerCount),
        provider: segmentations[0].provider,
        notices: [...found.notices, ...segmentations.flatMap(({ notices }) => [...notices])],
      };
    },
  };
}

/** Returns a segmentation that hears only where speech was found. */
function getSegmentation(
  session: Session,
  regions: readonly TimeSpan[],
  signal: AbortSignal,
): SegmentedWindows {
  const mayHaveSpeech = (span: TimeSpan) =>
    regions.some(({ start, end }) => start < span.end && end > span.start);
  return new SegmentedWindows(session, { card: CARD, signal, step: WINDOW_STEP, mayHaveSpeech });
}
