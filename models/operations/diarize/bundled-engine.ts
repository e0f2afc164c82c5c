import type { ModelEngine } from '../../core/inference/engine-ladder.ts';
import type { DecodedAudio } from '../../core/runtime/audio-codec.ts';
import type { StepsOfRun } from '../../core/runtime/steps.ts';
import { type SpeechRule, speechRegions } from '../../kernels/audio/speech-regions.ts';
import { addOverlap } from './add-overlap.ts';
import { assignParts, joinParts } from './assign-parts.ts';
import { BUNDLED_ENGINE } from './engines.ts';
import { type DiarizeOptions, feedChannels, filterBank } from './feed-samples.ts';
import { findSpeech } from './find-speech.ts';
import { OVERLAP_CARD, OVERLAP_SECONDS, OverlapActivity } from './overlap-activity.ts';
import type { Segment } from './segmentation/segment.ts';
import { SPEAKER_CARD, SpeakerEmbeddings } from './speaker-embeddings.ts';
import { withWindows } from './speech-windows.ts';
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
      const { parts, ...found } = await step('finding speech', (progress) =>
        findSpeech(audio, session, { signal, progress }),
      );
      const spoken = withWindows(parts);
      if (spoken.length === 0) return { value: [], ...found };
      const heard = await inference.use(SPEAKER_CARD, { signal }, (speakers) =>
        inference.use(OVERLAP_CARD, { signal }, async (network) => {
          const listening = spoken.map((part) => ({
            part,
            embedding: new SpeakerEmbeddings(speakers, part.windows, signal),
            overlap: new OverlapActivity(network, part.regions, signal),
          }));
          const sinks = new Map(
            listening.map(({ part, embedding, overlap }) => [part.channel, filterBank(embedding, overlap)]),
          );
          await step('comparing voices', (progress) => feedChannels(audio, sinks, progress));
          return listening.map(({ part, embedding, overlap }) => ({
            ...part,
            embeddings: embedding.values,
            overlaps: speechRegions(overlap.probabilities, OVERLAP_SECONDS, OVERLAP),
          }));
        }),
      );
      const assigned = assignParts(heard, options.speakerCount);
      const turns = heard.map((part, at) => addOverlap(assigned[at], part.overlaps, part));
      return { value: joinParts(turns, options.speakerCount), ...found };
    },
  };
}
