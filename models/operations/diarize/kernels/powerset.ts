/** Speakers that the classes of pyannote's segmentation stand for, as bits: none, each of three, each two of them. */
const CLASSES = [0b000, 0b001, 0b010, 0b100, 0b011, 0b101, 0b110];

/** Number of speakers that a powerset tells apart. */
export const LOCAL_SPEAKERS = 3;
export const POWERSET_CLASSES = CLASSES.length;

/**
 * Decodes scores of sets of speakers.
 * @param scores frames x 7, row by row; the highest of a row counts
 * @returns the speakers of each frame, as bits
 */
export function decodePowerset(scores: Float32Array): Uint8Array {
  return Uint8Array.from({ length: scores.length / CLASSES.length }, (_, frame) => {
    const row = scores.subarray(frame * CLASSES.length, (frame + 1) * CLASSES.length);
    return CLASSES[row.indexOf(Math.max(...row))] ?? 0;
  });
}
