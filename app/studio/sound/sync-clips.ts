/** Offset in seconds beyond which a playing clip seeks; a smaller one is corrected by the playback rate. */
const JUMP_SECONDS = 0.3;
const PACE_CHANGE_MAX = 0.25;
/** Share of the delay that the follower makes up per second. */
const CATCH_UP = 2;

const MOVES = ['play', 'playing', 'pause', 'seeking', 'seeked', 'timeupdate', 'ratechange'] as const;

/**
 * Keeps one clip in step with another: on the same frame while paused, close to it while playing.
 * @returns a function that stops it
 */
export function syncClips(leader: HTMLVideoElement, follower: HTMLVideoElement): () => void {
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
    // A clip that may not play, or is paused before it starts, stays where it is.
    else if (follower.paused && leader.currentTime < follower.duration) follower.play().catch(() => {});
  };
  const ending = new AbortController();
  for (const move of MOVES) leader.addEventListener(move, align, { signal: ending.signal });
  follower.addEventListener('loadedmetadata', align, { signal: ending.signal });
  align();
  return () => ending.abort();
}
