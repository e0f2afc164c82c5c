import type { InputTrack } from 'mediabunny';
import { placeTracks, type TrackClock, type TrackTimes } from '../../kernels/track-clock.ts';
import { readPacketEdits } from './iso-edits.ts';
import { getVideoContainer, type VideoContainer } from './video-header.ts';

const SIGNATURE_BYTES = 64;

/**
 * Reads when a track is played: inside its edit list, and from the time at which the first track of the file starts.
 * @param file that `track` was opened from
 */
export async function readClock(file: Blob, track: InputTrack): Promise<TrackClock> {
  const { EncodedPacketSink } = await import('mediabunny');
  const container = await readContainer(file);
  const isIso = container === 'mp4' || container === 'mov';
  const mayStartBeforeZero = container === 'webm' || container === 'mkv';
  const edits = isIso ? await readPacketEdits(file) : new Map<number, TrackClock>();
  const primary = [await track.input.getPrimaryVideoTrack(), await track.input.getPrimaryAudioTrack()];
  const times: TrackTimes[] = [];
  for (const each of [track, ...primary.filter((other) => other && other.id !== track.id)]) {
    const first = each && (await new EncodedPacketSink(each).getFirstPacket({ metadataOnly: true }));
    if (first)
      times.push({
        firstSeconds: first.timestamp,
        edits: edits.get(each.id) ?? null,
        mayStartBeforeZero,
      });
  }
  return placeTracks(times)[0] ?? [];
}

async function readContainer(file: Blob): Promise<VideoContainer | null> {
  return getVideoContainer(new Uint8Array(await file.slice(0, SIGNATURE_BYTES).arrayBuffer()));
}
