import sharp from 'sharp';
import type { VideoFrame } from '../../../models/core/runtime/video-codec.ts';
import { drawSubjectPicture } from './subject-picture.ts';
import { encodeVideo, videoFixture } from './videos.ts';

export const SUBJECT_VIDEO = { width: 160, height: 120, frameCount: 4 } as const;

/** Makes an MP4 with audio whose subject grows a little in each frame. */
export async function createSubjectVideo(): Promise<Blob> {
  const picture = Buffer.from(await (await drawSubjectPicture()).arrayBuffer());
  const frames: VideoFrame[] = [];
  for (let index = 0; index < SUBJECT_VIDEO.frameCount; index++) {
    const { width, height } = SUBJECT_VIDEO;
    const data = await sharp(picture)
      .resize(width + index * 4, height + index * 3, { fit: 'fill' })
      .extract({ left: index * 2, top: index, width, height })
      .ensureAlpha()
      .raw()
      .toBuffer();
    const times = { timestampSeconds: index * 0.1, durationSeconds: 0.1 };
    frames.push({ width, height, data: new Uint8Array(data), ...times });
  }
  return (await encodeVideo(frames, { soundFrom: await videoFixture('moving.mp4') })).blob;
}
