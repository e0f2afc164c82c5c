import type { InputAudioTrack } from 'mediabunny';
import type { AudioFacts } from '../../../core/runtime/audio-facts.ts';
import type { Placement } from '../../../kernels/audio/place-pieces.ts';
import type { TimeSpan } from '../../../kernels/audio/speech-regions.ts';

/** Track of a part. */
export interface LinkTrack {
  /** Track for decoders of packets; null for containers and codecs that only FFmpeg reads. */
  readonly track: InputAudioTrack | null;
  /** Bytes of the part, in which damage of the container is repaired. */
  readonly file: Blob;
  /** Whether damaged packets were left out, so that gaps between the others are damage. */
  readonly isRepaired: boolean;
  /** Whether nothing before the first of the others was left out. Defaults to false. */
  readonly isStartWhole?: boolean;
  /** Silence that stands in the file in place of damaged bytes, in seconds of the track. Defaults to none. */
  readonly silence?: readonly TimeSpan[];
}

/** Probed part of a file. */
export interface OpenedPart extends Placement {
  /** Bytes of the part, a file of its own. */
  readonly file: Blob;
  readonly facts: AudioFacts;
  readonly openTrack: () => Promise<LinkTrack>;
  /** End of decoding: the measured length, plus an allowance for the container's rounding. */
  readonly endSeconds: number;
  /** Speakers of the channels; null where headers do not say it. */
  readonly channelMask: number | null;
  readonly isCutOff: boolean;
  /** Time of the first packet. */
  readonly firstSeconds: number;
}

/** Limits of the opening of a part, and the track that is wanted. */
export interface PartOptions {
  readonly secondsMax: number;
  readonly signal: AbortSignal | undefined;
  readonly trackNumber: number | undefined;
}
