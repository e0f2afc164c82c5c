/** Further off than this a playing clip is put right at once, and by its pace else. */
const JUMP_SECONDS = 0.3;
const PACE_CHANGE_MAX = 0.25;
/** Of a second's delay, the share that is caught up in a second. */
const CATCH_UP = 2;

const MOVES = ['play', 'playing', 'pause', 'seeking', 'seeked', 'timeupdate', 'ratechange'] as const;

/**
 * Keeps one clip in step with another: on the same frame while that rests, and close to it while it plays.
 * @returns ends it
 */
export function follow(leader: HTMLVideoElement, follower: HTMLVideoElement): () => void {
  const align = () => {
    const behindSeconds = leader.currentTime - follower.currentTime;
    const isResting = leader.paused || leader.seeking;
    if (isResting || Math.abs(behindSeconds) > JUMP_SECONDS) {
      follower.playbackRate = leader.playbackRate;
      if (behindSeconds !== 0) follower.currentTime = leader.currentTime;
    } else {
      const change = Math.min(PACE_CHANGE_MAX, Math.max(-PACE_CHANGE_MAX, behindSeconds * CATCH_UP));
      follower.playbackRate = leader.playbackRate * (1 + change);
    }
    if (leader.paused) follower.pause();
    // One that may not play, or is told to pause before it has begun, stays where it is.
    else if (follower.paused && leader.currentTime < follower.duration) follower.play().catch(() => {});
  };
  const ending = new AbortController();
  for (const move of MOVES) leader.addEventListener(move, align, { signal: ending.signal });
  follower.addEventListener('loadedmetadata', align, { signal: ending.signal });
  align();
  return () => ending.abort();
}
