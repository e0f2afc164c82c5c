import type { ModelEngine } from '../inference/engine-ladder.ts';
import { type SpeechRule, speechRegions, type TimeSpan } from '../kernels/audio/speech-regions.ts';
import type { DecodedAudio } from '../runtime/audio-codec.ts';
import type { StepsOfRun } from '../runtime/steps.ts';
import { addOverlap } from './add-overlap.ts';
import { assignSpeakers, type Segment } from './assign-speakers.ts';
import { BUNDLED_ENGINE } from './engines.ts';
import { type DiarizeOptions, feedSamples, filterBank } from './feed-samples.ts';
import { OVERLAP_CARD, OVERLAP_SECONDS, OverlapActivity } from './overlap-activity.ts';
import { SPEAKER_CARD, SpeakerEmbeddings } from './speaker-embeddings.ts';
import { speechWindows } from './speech-windows.ts';
import { VAD_CARD, VAD_FRAME_SECONDS, VoiceActivity } from './voice-activity.ts';

const SPEECH: SpeechRule = {
  onset: 0.4,
  offset: 0.25,
  speechSecondsMin: 0.2,
  pauseSecondsMin: 0.5,
  padSeconds: 0.1,
};
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
/** A frame this certain is needed somewhere, or nothing counts as speech. */
const CERTAIN = 0.9;
/** Less speech in the whole file is none: a cough, a shout, a few frames of singing. */
const SPEECH_SECONDS_MIN = 0.5;

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
      const activity = new VoiceActivity(session, signal);
      await step('finding speech', (progress) => feedSamples(audio, activity, progress));
      const found = { provider: activity.provider, notices: [...activity.notices] };
      const regions = speechIn(activity.probabilities, audio.frameCount / audio.sampleRate);
      const windows = speechWindows(regions);
      if (windows.length === 0) return { value: [], ...found };
      const heard = await inference.use(SPEAKER_CARD, { signal }, (speakers) =>
        inference.use(OVERLAP_CARD, { signal }, async (network) => {
          const embedding = new SpeakerEmbeddings(speakers, windows, signal);
          const overlap = new OverlapActivity(network, regions, signal);
          await step('comparing voices', (progress) =>
            feedSamples(audio, filterBank(embedding, overlap), progress),
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

/**
 * Returns the regions of speech; none where all speech is doubtful or too little.
 * @param endSeconds length of the audio: the last frame, filled up with silence, may reach further
 */
function speechIn(probabilities: readonly number[], endSeconds: number): TimeSpan[] {
  if (!probabilities.some((probability) => probability >= CERTAIN)) return [];
  const regions = speechRegions(probabilities, VAD_FRAME_SECONDS, SPEECH).map(({ start, end }) => ({
    start,
    end: Math.min(end, endSeconds),
  }));
  const seconds = regions.reduce((sum, { start, end }) => sum + end - start, 0);
  return seconds < SPEECH_SECONDS_MIN ? [] : regions;
}
