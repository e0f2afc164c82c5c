/** Time in which a gain moves to its new value, in seconds: shorter would click. */
const GLIDE_SECONDS = 0.01;

/** Creates one gain for each sound, all into one output. */
export function createGains(output: AudioNode, count: number): readonly GainNode[] {
  return Array.from({ length: count }, () => {
    const gain = output.context.createGain();
    gain.connect(output);
    return gain;
  });
}

/** Moves each gain to its value. A sound without a value keeps its own level. */
export function applyGains(
  context: AudioContext,
  nodes: readonly GainNode[],
  gains: readonly number[],
): void {
  for (const [at, { gain }] of nodes.entries()) {
    gain.setTargetAtTime(gains[at] ?? 1, context.currentTime, GLIDE_SECONDS);
  }
}
