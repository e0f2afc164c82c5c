/**
 * Finds the sequence of states with the highest sum of scores, less a penalty for each change of state (Viterbi).
 * @param scores `steps` x `states`, row by row
 * @returns the state of each step
 */
export function viterbiPath(scores: Float32Array, states: number, changePenalty: number): Int32Array {
  const steps = scores.length / states;
  const from = new Int32Array(scores.length);
  let sums = new Float64Array(states);
  for (let step = 0; step < steps; step++) {
    const best = indexOfLargest(sums);
    const next = new Float64Array(states);
    for (let state = 0; state < states; state++) {
      const changes = sums[best] - changePenalty > sums[state];
      const before = changes ? best : state;
      from[step * states + state] = before;
      next[state] = sums[before] - (changes ? changePenalty : 0) + scores[step * states + state];
    }
    sums = next;
  }
  const path = new Int32Array(steps);
  let state = indexOfLargest(sums);
  for (let step = steps - 1; step >= 0; step--) {
    path[step] = state;
    state = from[step * states + state];
  }
  return path;
}

function indexOfLargest(values: Float64Array): number {
  let largest = 0;
  for (let at = 1; at < values.length; at++) {
    if (values[at] > values[largest]) largest = at;
  }
  return largest;
}
