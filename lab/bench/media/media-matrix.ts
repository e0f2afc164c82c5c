import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { serveFiles } from '../../support/file-server.ts';
import { createApiClient, startService } from '../../support/service.ts';
import { AUDIO_CLIPS, type Clip, MARKER_SECONDS, makeClips, VIDEO_CLIPS } from './media-clips.ts';

const run = promisify(execFile);

const RATE = 16_000;

/** Steps in which a picture is looked at, in a second. */
const STEPS = 50;

const LOUD = 0.3;

const BRIGHT = 128;

const BYTES_MAX = 100_000_000;

const JOB_MS_MAX = 600_000;

const AT_ONCE = 2;

const SETTINGS = {
  LOG_LEVEL: 'error',
  MODELS_OFFLINE: '1',
  RATE_LIMIT_BURST: '100000',
  RATE_LIMIT_PER_SECOND: '100000',
  FAILURES_PER_HOUR: '100000',
};

const STEMS = { id: 'audio-separate-stems', path: '/audio-tools/v1/separate-stems', field: 'audio_url' };

const UPSCALE = { id: 'upscale', path: '/v1/upscale', field: 'video_url' };

interface Api {
  post(path: string, body: object): Promise<{ status: number; body: ReturnType<JSON['parse']> }>;
  ended(requestId: string): Promise<ReturnType<JSON['parse']>>;
}

/** Runs a clip as a job, and returns the cells of its row: length, price, beep, flash, warnings or refusal. */
async function runClip(api: Api, { hasVideo }: Clip, url: string): Promise<string[]> {
  const { id, path, field } = hasVideo ? UPSCALE : STEMS;
  const request = hasVideo ? { [field]: url, output_format: 'mp4' } : { [field]: url, output_format: 'wav' };
  const quote = await api.post('/v2/quotes', { model_id: id, request });
  if (quote.status !== 200) return refused(`${quote.status}: ${quote.body.message}`);
  const { facts, price_usd: price } = quote.body;
  const length = [`${Number(facts.durationSeconds).toFixed(2)} s`, `$${price}`];
  const { status, body } = await api.post(path, request);
  if (status !== 202) return [...length, ...refused(`${status}: ${body.message}`).slice(2)];
  const job = await api.ended(body.request_id);
  if (job.status !== 'COMPLETED') return [...length, ...refused(`${job.status}: ${job.error}`).slice(2)];
  const outputs = [job.output.media_url ?? job.output.output_url].flat();
  const flash = hasVideo ? await findFlash(outputs[0]) : null;
  const warnings = (job.warnings ?? job.output.warnings ?? []).join(' ');
  return [...length, getSeconds(await findBeep(outputs)), getSeconds(flash), warnings];
}

function refused(words: string): string[] {
  return ['', '', '', '', words];
}

function getSeconds(seconds: number | null): string {
  return seconds === null ? '' : `${seconds.toFixed(2)} s`;
}

/** Creates a client of the API that never waits for a job within a request. */
function createApi(url: string, key: string): Api {
  const { ended } = createApiClient(url, key);
  const headers = {
    authorization: `Bearer ${key}`,
    'ocp-apim-subscription-key': key,
    'content-type': 'application/json',
    prefer: 'respond-async',
  };
  return {
    ended: (requestId) => ended(requestId, { timeoutMs: JOB_MS_MAX }),
    async post(path, body) {
      for (;;) {
        const request = { method: 'POST', headers, body: JSON.stringify(body) };
        const response = await fetch(`${url}/api${path}`, request);
        const received = { status: response.status, body: JSON.parse(await response.text()) };
        // Quotes have a rate of their own.
        if (received.status !== 429) return received;
        await setTimeout(1000 * Number(response.headers.get('retry-after') ?? 1));
      }
    },
  };
}

/**
 * Makes clips of many containers and codecs with many kinds of trouble, runs them through the API of a whole service,
 * and prints a table of what comes out, each clip without trouble first. Needs Debian's ffmpeg.
 * @param parts parts of the names of the clips to run, by default all
 */
export async function benchMedia(parts: readonly string[]): Promise<void> {
  const served: Record<string, Uint8Array> = {};
  const files = await serveFiles(served);
  const service = await startService(SETTINGS);
  try {
    const { api_key: key } = await service.account('matrix@example.com', '1000');
    const api = createApi(service.url, key);
    console.log(`The marker is at ${MARKER_SECONDS} s.\n`);
    console.log('| clip | trouble | length | price | beep | flash | warnings, or the refusal |');
    console.log(`|${' --- |'.repeat(7)}`);
    const clips = [...AUDIO_CLIPS, ...VIDEO_CLIPS].filter(
      ({ name }) => parts.length === 0 || parts.some((part) => name.includes(part)),
    );
    const runAll = async () => {
      for (let clip = clips.shift(); clip; clip = clips.shift()) {
        const rows: string[] = [];
        for await (const { trouble, path } of makeClips(clip)) {
          const address = `/${encodeURIComponent(trouble)}/${clip.name}`;
          served[address] = await readFile(path);
          const cells = await runClip(api, clip, files.url + address).catch((thrown: Error) =>
            refused(`${thrown.name}: ${thrown.message}`),
          );
          delete served[address];
          rows.push(`| ${[clip.name, trouble, ...cells].join(' | ')} |`);
        }
        console.log(rows.join('\n'));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, runAll));
  } finally {
    await service.stop();
    await files.close();
  }
}

async function readRaw(options: readonly string[]): Promise<Buffer> {
  const { stdout } = await run('ffmpeg', ['-v', 'error', ...options, '-'], {
    encoding: 'buffer',
    maxBuffer: BYTES_MAX,
  });
  return stdout;
}

/** Finds the first loud sample of the sum of files, in seconds from their start; null where all is quiet. */
async function findBeep(urls: readonly string[]): Promise<number | null> {
  const inputs = urls.flatMap((url) => ['-i', url]);
  const mix = `amix=inputs=${urls.length}:normalize=0,aresample=${RATE}:async=1:first_pts=0`;
  const format = ['-filter_complex', mix, '-ac', '1', '-f', 'f32le'];
  const bytes = await readRaw([...inputs, ...format]);
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    if (Math.abs(bytes.readFloatLE(at)) > LOUD) return at / 4 / RATE;
  }
  return null;
}

/** Finds the first bright picture of a file, in seconds from its start; null where all are dark. */
async function findFlash(url: string): Promise<number | null> {
  const filter = `fps=${STEPS}:start_time=0,scale=1:1,format=gray`;
  const bytes = await readRaw(['-i', url, '-an', '-vf', filter, '-f', 'rawvideo']);
  const at = bytes.findIndex((value) => value > BRIGHT);
  return at < 0 ? null : at / STEPS;
}
