import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FileServer, serveFiles } from '../../../lab/support/file-server.ts';
import { serveResult } from '../../../server/api/results-listener.ts';
import { createSubjectVideo, SUBJECT_VIDEO } from '../../support/media/subject-video.ts';
import { decodeVideoFrames, readAudioPackets, videoFixture } from '../../support/media/videos.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';

const NAMES = ['moving.mp4', 'tone.mkv'];
let api: TestApi;
let videos: FileServer;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_BURST: '1000' });
  await api.startRunner();
  const read = async (name: string) => [`/${name}`, await getBytes(name)] as const;
  const files = Object.fromEntries(await Promise.all(NAMES.map(read)));
  const subject = new Uint8Array(await (await createSubjectVideo()).arrayBuffer());
  videos = await serveFiles({
    ...files,
    '/subject.mp4': subject,
    '/note.txt': Buffer.from('a text that is no video'),
  });
});
afterAll(() => Promise.all([api.close(), videos.close()]));

const getBytes = async (name: string) => new Uint8Array(await (await videoFixture(name)).arrayBuffer());
const videoUrl = (name = 'moving.mp4') => `${videos.url}/${name}`;

describe('POST /v1/remove-bg with a video', () => {
  it('returns 200 with the result, including audio, and charges the started second', async () => {
    const { status, body } = await api.removeBg({
      video_url: videoUrl('subject.mp4'),
      background: '#0000ff',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'success', original_size: '160x120', engine: 'matte on cpu' });
    const response = await serveResult(api.ctx, new Request(body.output_url));
    expect(response.headers.get('content-type')).toBe('video/mp4');
    const result = await response.blob();
    expect(await decodeVideoFrames(result)).toHaveLength(SUBJECT_VIDEO.frameCount);
    expect((await readAudioPackets(result)).codec).toBe('aac');
    const job = await api.status(body.request_id);
    expect(job.body).toMatchObject({ status: 'COMPLETED', billing: { charged_usd: '0.05' } });
  });

  it('charges nothing where no frame has a subject, and says so', { tags: ['long'] }, async () => {
    const { body } = await api.removeBg({ video_url: videoUrl() });
    expect(body).toMatchObject({ status: 'success', subjects_detected: 0 });
    expect(body.warnings[0]).toMatch(/^no_subject: /);
    const job = await api.status(body.request_id);
    expect(job.body).toMatchObject({ status: 'COMPLETED', billing: { charged_usd: '0.00' } });
  });

  it.each([
    [{ output_format: 'png' }, 'moving.mp4', /must be one of mp4, webm for a video/],
    [{}, 'tone.mkv', /^video_url: The file has no video track/],
    [{}, 'note.txt', /^video_url: The video has an unknown format\. Send an MP4/],
  ])('returns 400 for %j and %s', async (params, name, message) => {
    const { status, body } = await api.removeBg({ video_url: videoUrl(name), ...params });
    expect([status, body.error]).toEqual([400, 'Bad Request']);
    expect(body.message).toMatch(message);
  });

  it('returns 400 for a video in image_url, and for an image in video_url', async () => {
    const video = await api.removeBg({ image_url: videoUrl() });
    expect([video.status, video.body.message]).toEqual([400, expect.stringContaining('video/mp4')]);
    const image = await api.removeBg({ video_url: `${api.files.url}/subject.png` });
    expect([image.status, image.body.message]).toEqual([400, expect.stringContaining('image/png')]);
  });
});
