import type { ModelEngine } from '../../core/inference/engine-ladder.ts';
import type { DecodedAudio } from '../../core/runtime/audio-codec.ts';
import type { StepsOfRun } from '../../core/runtime/progress.ts';
import type { Points } from './agglomerate.ts';
import { HUB_ENGINE } from './engines.ts';
import { type DiarizeOptions, feedChannels } from './feed-samples.ts';
import { cosine, findNearest, findSpeakers } from './find-speakers.ts';
import { joinWindows, type LocalVoice } from './join-windows.ts';
import { SEGMENTATION_CARD, segmentLocally, WESPEAKER_CARD, WESPEAKER_LENGTH } from './local-segmentation.ts';
import type { Segment } from './segment.ts';

/** Cut of pyannote's speaker-diarization-3.1: Euclidean there, squared here, as the linkage measures it. */
const DISTANCE_MAX = 0.7045654963945799 ** 2;
const CLUSTER_SIZE_MAX = 12;
const CLUSTER_SHARE = 0.1;

/**
 * Returns the engine of the hub's networks, by the method of pyannote's speaker-diarization-3.1 (H. Bredin, Interspeech
 * 2023): windows of 10 s are segmented, each voice in each is embedded, and the embeddings are clustered. Hears
 * overlap.
 * @param audio mono, 16 kHz
 */
export function hubEngine(
  audio: DecodedAudio,
  options: DiarizeOptions,
  { step }: StepsOfRun<'comparing voices'>,
): ModelEngine<readonly Segment[]> {
  const { inference, signal } = options;
  return {
    id: HUB_ENGINE,
    card: SEGMENTATION_CARD,
    async run(session) {
      const { windows, voices, embeddings } = await inference.use(
        WESPEAKER_CARD,
        { signal },
        async (speakers) => {
          const local = segmentLocally(session, speakers, signal);
          await step('comparing voices', (progress) =>
            feedChannels(audio, new Map([['mix', local.windows]]), progress),
          );
          return local;
        },
      );
      const { activities, provider, notices } = windows;
      const clusters = clusterVoices(voices, embeddings, options.speakerCount);
      const endSeconds = audio.frameCount / audio.sampleRate;
      return {
        value: joinWindows({ activities, voices }, clusters, endSeconds, options.speakerCount !== undefined),
        provider,
        notices: [...notices],
      };
    },
  };
}

/** Returns the cluster of each voice. @param embeddings of the voices, of length 1 */
export function clusterVoices(
  voices: readonly LocalVoice[],
  embeddings: readonly Float32Array[],
  speakerCount: number | undefined,
): number[] {
  if (voices.length === 0) return [];
  const values = new Float32Array(voices.length * WESPEAKER_LENGTH);
  embeddings.forEach((embedding, at) => {
    values.set(embedding, at * WESPEAKER_LENGTH);
  });
  const sizeMin = Math.min(CLUSTER_SIZE_MAX, Math.max(1, Math.round(CLUSTER_SHARE * voices.length)));
  const points = { dimensions: WESPEAKER_LENGTH, values };
  const centres = findSpeakers(
    points,
    sizeMin,
    speakerCount === undefined ? { distanceMax: DISTANCE_MAX } : { speakerCount },
  );
  const clusters = voices.map((_, at) => findNearest(points, at, centres));
  if (speakerCount !== undefined) giveEachAVoice(clusters, points, centres);
  return clusters;
}

/** Gives each centre without a voice the one that is most similar to it, of a cluster that has others. */
function giveEachAVoice(clusters: number[], points: Points, centres: readonly Float32Array[]): void {
  const sizes = centres.map((_, cluster) => clusters.filter((each) => each === cluster).length);
  centres.forEach((centre, cluster) => {
    if (sizes[cluster] !== 0) return;
    let [best, bestCosine] = [-1, Number.NEGATIVE_INFINITY];
    clusters.forEach((own, voice) => {
      const similarity = cosine(points.values, voice * points.dimensions, centre);
      if (sizes[own] > 1 && similarity > bestCosine) [best, bestCosine] = [voice, similarity];
    });
    if (best < 0) return;
    sizes[clusters[best]] = sizes[clusters[best]] - 1;
    sizes[cluster] = 1;
    clusters[best] = cluster;
  });
}
