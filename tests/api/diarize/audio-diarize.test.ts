import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FileServer, serveFiles } from '../../../lab/support/file-server.ts';
import { writeWavHeader } from '../../../models/media/audio/write-audio.ts';
import { serveResult } from '../../../server/api/results-listener.ts';
import { readBalance, reconcileBalances } from '../../../server/money/wallet/index.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';

const PATH = '/audio-tools/v1/diarize';
const RATE = 16_000;

let api: TestApi;
let files: FileServer;
const fixture = (name: string) => readFile(resolve(import.meta.dirname, '../../fixtures', name));
const diarize = (body: object) => api.post(PATH, body);
const wallet = () => readBalance(api.ctx.db, api.accountId);

/** Makes silence with a header that claims `bytesClaimed` bytes of samples. */
function silence(seconds: number, bytesClaimed = seconds * RATE * 2): Buffer {
  const head = writeWavHeader({ sampleRate: RATE, channelCount: 1 }, bytesClaimed);
  return Buffer.concat([head, Buffer.alloc(Math.round(seconds * RATE) * 2)]);
}

/** Makes a WAV file that claims 65,535 channels. */
function manyChannels(): Buffer {
  const file = silence(1);
  file.writeUInt16LE(65_535, 22);
  return file;
}

beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_BURST: '1000' }, '5');
  await api.startRunner();
  files = await serveFiles({
    '/silence.wav': silence(5.06),
    '/cut.wav': silence(9).subarray(0, 44 + 2 * RATE * 2.5),
    '/long.wav': silence(2, 4_000_000_000),
    '/channels.wav': manyChannels(),
    '/tone.mp3': await fixture('audio/tone.mp3'),
    '/video.webm': await fixture('videos/spoken.webm'),
    '/silent.mp4': await fixture('videos/uneven.mp4'),
    '/empty.wav': Buffer.alloc(0),
    '/image.png': await readFile('public/samples/lemur.jpg'),
    '/list.m3u8': Buffer.from('#EXTM3U\n#EXTINF:9,\nhttp://127.0.0.1:1/secret.ts\n'),
    '/script.ffconcat': Buffer.from("ffconcat version 1.0\nfile '/etc/passwd'\n"),
  });
});
afterAll(async () => {
  expect(await reconcileBalances(api.ctx.db)).toEqual({ ok: true, faults: [] });
  await files.close();
  await api.close();
});

describe('POST /audio-tools/v1/diarize', () => {
  it('returns 202, and a JSON file of no speakers where there is no speech, charged by started seconds', async () => {
    const before = await wallet();
    const { status, body } = await diarize({ audio_url: `${files.url}/silence.wav` });
    expect(status).toBe(202);
    expect(Object.keys(body)).toEqual(['request_id', 'status', 'polling_url']);
    expect(body.request_id).toMatch(/^audio-diarize_[0-9a-f]{32}$/);
    const job = await api.ended(body.request_id);
    expect(job).toMatchObject({
      status: 'COMPLETED',
      error: null,
      output: { media_type: 'application/json' },
    });
    const [url] = job.output.media_url;
    expect(job.output.media_url).toHaveLength(1);
    expect(new URL(url).pathname).toMatch(/output\.json$/);
    const response = await serveResult(api.ctx, new Request(url));
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await response.json()).toEqual({ ok: true, speakers: null, segments: [] });
    expect((await wallet()).balance).toBe(before.balance - 30_000n);
  });

  it('reads a cut off file as far as it goes, says so, and charges what is there', async () => {
    const { body } = await diarize({ audio_url: `${files.url}/cut.wav` });
    expect(await api.ended(body.request_id)).toMatchObject({
      status: 'COMPLETED',
      warnings: ['The audio is cut off: the result covers the 2.5 s that could be read.'],
      billing: { charged_usd: '0.015' },
    });
  });

  it('reads the samples that are there when a header claims 4 GB', { tags: ['long'] }, async () => {
    const { status, body } = await diarize({ audio_url: `${files.url}/long.wav`, speaker_count: 3 });
    expect(status).toBe(202);
    const job = await api.ended(body.request_id);
    expect(job).toMatchObject({ status: 'COMPLETED', billing: { charged_usd: '0.01' } });
  });

  it.each(['tone.mp3', 'video.webm'])('reads the sound of %s', { tags: ['long'] }, async (file) => {
    const { status, body } = await diarize({ audio_url: `${files.url}/${file}` });
    expect(status).toBe(202);
    const { status: end, output } = await api.ended(body.request_id);
    expect(end).toBe('COMPLETED');
    expect(output.media_type).toBe('application/json');
  });

  it.each([0, 21, 2.5, '2', -1, null])('returns 400 for a speaker_count of %j', async (speaker_count) => {
    const { status, body } = await diarize({ audio_url: `${files.url}/silence.wav`, speaker_count });
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: 'Bad Request', message: expect.stringMatching(/^speaker_count: /) });
  });

  it.each([
    ['an image', 'image.png'],
    ['a video without sound', 'silent.mp4'],
    ['an empty file', 'empty.wav'],
    ['an HLS playlist', 'list.m3u8'],
    ['a concat script', 'script.ffconcat'],
    ['65,535 channels', 'channels.wav'],
    ['nothing', 'missing.wav'],
  ])('returns 400 for %s', async (_name, file) => {
    const before = await wallet();
    const { status, body } = await diarize({ audio_url: `${files.url}/${file}` });
    expect(body).toMatchObject({ error: 'Bad Request', message: expect.any(String) });
    expect(status).toBe(400);
    expect(await wallet()).toEqual(before);
  });

  it.each([
    ['ftp://example.com/a.wav', 'audio_url: '],
    [undefined, 'audio_url: '],
  ])('returns 400 for the URL %j', async (audio_url, message) => {
    const { status, body } = await diarize({ audio_url });
    expect(status).toBe(400);
    expect(body.message).toContain(message);
  });

  it('returns 402 where the balance covers no second', async () => {
    const poor = await startApi({}, '0.004');
    try {
      const { status, body } = await poor.post(PATH, { audio_url: `${files.url}/silence.wav` });
      expect(status).toBe(402);
      expect(body.error).toBe('Insufficient Balance');
    } finally {
      await poor.close();
    }
  });
});
