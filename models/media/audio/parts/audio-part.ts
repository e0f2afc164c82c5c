/**
 * Place of a part on the clock of its file: right after the part before; by the times of its own packets; or a number
 * of seconds after the last part that was placed as `next`.
 */
export type PartPosition = 'next' | 'own-times' | number;

/** Part of a file that is a file of its own. */
export interface AudioPart {
  readonly file: Blob;
  readonly position: PartPosition;
  /** Damaged bytes before a part that is placed as `next`, whose own times tell how long they are. Defaults to 0. */
  readonly lostBytes?: number;
  /** Whether packets within are damaged, so that gaps between the others are damage. Defaults to false. */
  readonly isDamaged?: boolean;
  /** Time of the first sample behind such damage, where only the file tells it. */
  readonly firstSeconds?: number;
}

/** Parts of an audio file, in order. */
export interface SplitAudio {
  readonly parts: readonly AudioPart[];
  /** Whether bytes that belong to the audio are left out at its end. */
  readonly isCutOff: boolean;
  /** Bytes behind the audio that its headers do not count, where they are many. Defaults to 0. */
  readonly restBytes?: number;
}

/** Limit on the parts of a file. The rest of one with more is left out. */
export const PARTS_MAX = 300;
