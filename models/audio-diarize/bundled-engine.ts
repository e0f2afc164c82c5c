import type { ModelEngine } from '../inference/engine-ladder.ts';
import { type SpeechRule, speechRegions } from '../kernels/audio/speech-regions.ts';
import type { DecodedAudio } from '../runtime/audio-codec.ts';
import type { StepsOfRun } from '../runtime/steps.ts';
import { addOverlap } from './add-overlap.ts';
import { assignSpeakers } from './assign-speakers.ts';
import { BUNDLED_ENGINE } from './engines.ts';
import { type DiarizeOptions, feedSamples, filterBank } from './feed-samples.ts';
import { findSpeech } from './find-speech.ts';
import { OVERLAP_CARD, OVERLAP_SECONDS, OverlapActivity } from './overlap-activity.ts';
import type { Segment } from './segmentation/segment.ts';
import { SPEAKER_CARD, SpeakerEmbeddings } from './speaker-embeddings.ts';
import { speechWindows } from './speech-windows.ts';
import { VAD_CARD } from './voice-activity.ts';

/**
 * Overlap that is plain: chosen on conversations made of speakers held out in training, so that 97 % of what is found
 * is overlap. Most of it is missed.
 */
const OVERLAP: SpeechRule = {
  onset: 0.8,
  offset: 0.35,
  speechSecondsMin: 0.3,
  pauseSecondsMin: 0.2,
  padSeconds: 0,
};
/**
 * Returns the engine of bundled networks: Silero VAD finds speech, the speaker network compares its windows, and the
 * overlap network finds where two people speak at once. The audio is decoded twice, so that memory does not grow with
 * its length.
 * @param audio mono, 16 kHz
 */
export function bundledEngine(
  audio: DecodedAudio,
  options: DiarizeOptions,
  { step }: StepsOfRun<'finding speech' | 'comparing voices'>,
): ModelEngine<readonly Segment[]> {
  const { inference, signal } = options;
  return {
    id: BUNDLED_ENGINE,
    card: VAD_CARD,
    async run(session) {
      const { regions, channel, ...found } = await step('finding speech', (progress) =>
        findSpeech(audio, session, { signal, progress }),
      );
      const windows = speechWindows(regions);
      if (windows.length === 0) return { value: [], ...found };
      const heard = await inference.use(SPEAKER_CARD, { signal }, (speakers) =>
        inference.use(OVERLAP_CARD, { signal }, async (network) => {
          const embedding = new SpeakerEmbeddings(speakers, windows, signal);
          const overlap = new OverlapActivity(network, regions, signal);
          await step('comparing voices', (progress) =>
            feedSamples(audio, filterBank(embedding, overlap), progress, channel),
          );
          return { windows, embeddings: embedding.values, overlap: overlap.probabilities };
        }),
      );
      const segments = assignSpeakers(regions, windows, heard.embeddings, options.speakerCount);
      const overlaps = speechRegions(heard.overlap, OVERLAP_SECONDS, OVERLAP);
      return { value: addOverlap(segments, overlaps, heard), ...found };
    },
  };
}
