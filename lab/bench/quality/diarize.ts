import { existsSync, openAsBlob } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { diarizationError, errorPercent, type SpokenSegment } from '../../../models/acceptance/speakers.ts';
import { audioDiarize } from '../../../models/operations/diarize/operation.ts';
import { readEnv } from '../../../server/base/env.ts';
import { openInference } from '../../../server/runtime/inference/index.ts';
import { createNodeRuntime } from '../../../server/runtime/node-runtime.ts';
import { SHARED } from '../../support/shared-folder.ts';

/** Recording with its truth; none where no one speaks. */
interface Recording {
  readonly path: string;
  readonly truth: readonly SpokenSegment[];
}

interface Found {
  readonly speakers: number | null;
  readonly segments: readonly SpokenSegment[];
  readonly seconds: number;
}

const COLLARS = [0, 0.25];
/** Less speech gives no rate: its recording counts seconds of false alarm. */
const SPEECH_SECONDS_MIN = 6;
/** Folder of other recordings, with an RTTM file next to each, instead of the shared ones: to tune on. */
const FOLDER = process.env.DIARIZE_RECORDINGS;

/**
 * Judges the best available engine on recordings with known truth, as a table: diarization error rate in percent with
 * collars of 0 and 0.25 s, overlap scored, with the number of speakers estimated and given, compared with one speaker on
 * perfect speech. Recordings with little speech, or none, count seconds of false alarm.
 * @throws Error when the recordings are missing
 */
export async function judgeDiarize(): Promise<void> {
  const recordings = FOLDER ? await recordingsIn(FOLDER) : await sharedRecordings();
  const runtime = createNodeRuntime({
    signal: new AbortController().signal,
    inference: openInference(readEnv()),
  });
  const diarize = async (path: string, params: object): Promise<Found> => {
    const startedAtMs = performance.now();
    const { files } = await audioDiarize.execute(await openAsBlob(path), params, runtime);
    const result = JSON.parse((await files[0]?.blob.text()) ?? '') as Omit<Found, 'seconds'>;
    return { ...result, seconds: (performance.now() - startedAtMs) / 1000 };
  };
  const rows: number[][] = [];
  let rightCounts = 0;
  console.log(
    '| recording | speakers | found | 0 | 0.25 | given 0 | given 0.25 | one 0 | one 0.25 | false s | run s |',
  );
  console.log(`|${' --- |'.repeat(11)}`);
  for (const { path, truth } of recordings) {
    const count = new Set(truth.map(({ speaker }) => speaker)).size;
    const free = await diarize(path, {});
    const name = basename(path);
    const alarm = diarizationError(truth, free.segments, 0).falseAlarm.toFixed(1);
    if (getSeconds(truth) < SPEECH_SECONDS_MIN) {
      const dashes = Array(6).fill('').join(' | ');
      console.log(
        `| ${name} | ${count} | ${free.speakers} | ${dashes} | ${alarm} | ${free.seconds.toFixed(1)} |`,
      );
      continue;
    }
    const given = await diarize(path, { speaker_count: count });
    const one = truth.map((segment) => ({ ...segment, speaker: 0 }));
    const figures = [free.segments, given.segments, one].flatMap((segments) =>
      COLLARS.map((collar) => errorPercent(diarizationError(truth, segments, collar))),
    );
    rows.push(figures);
    if (free.speakers === count) rightCounts += 1;
    const shown = figures.map((figure) => figure.toFixed(1)).join(' | ');
    console.log(
      `| ${name} | ${count} | ${free.speakers} | ${shown} | ${alarm} | ${free.seconds.toFixed(1)} |`,
    );
  }
  const means = rows[0]?.map((_, at) => rows.reduce((sum, row) => sum + row[at], 0) / rows.length);
  const shown = means?.map((mean) => mean.toFixed(1)).join(' | ');
  console.log(`| mean of ${rows.length} | | ${rightCounts} right | ${shown} | | |`);
}

function getSeconds(segments: readonly SpokenSegment[]): number {
  return segments.reduce((sum, { start, end }) => sum + end - start, 0);
}

async function sharedRecordings(): Promise<Recording[]> {
  const root = join(SHARED, 'data/diarization');
  if (!existsSync(root))
    throw new Error(`There is no folder ${root}: set DARKROOM_SHARED to that of the test data.`);
  const ami = await readRttm(join(root, 'ami_pyannote/DEV_split.rttm'));
  const meetings = ['dev00', 'dev01', 'trn01', 'trn02', 'trn03', 'trn05'];
  const silent = ['nospeech/mdn_viper_music.mp3', 'nospeech/pyannote_empty.wav', 'ina/silence2sec.wav'];
  const six = (await readFile(join(root, 'pyaudioanalysis/diarizationExample2.segments'), 'utf8')).trim();
  const falcon = JSON.parse(await readFile(join(root, 'falcon/test_data.json'), 'utf8')) as FalconTests;
  const sample = await readRttm(join(root, 'pyannote_sample/sample.rttm'));
  return [
    ...meetings.map((name) => ({ path: join(root, `ami_pyannote/${name}.wav`), truth: ami.get(name) ?? [] })),
    { path: join(root, 'pyannote_sample/sample.wav'), truth: sample.get('sample') ?? [] },
    {
      path: join(root, 'pyaudioanalysis/diarizationExample2.wav'),
      truth: six.split('\n').map((line) => {
        const [start, end, speaker] = line.split('\t');
        return { speaker: speaker ?? '', start: Number(start), end: Number(end) };
      }),
    },
    {
      path: join(root, 'falcon/test.wav'),
      truth: (falcon.tests.diarization_tests[0]?.segments ?? []).map((segment) => ({
        speaker: segment.speaker_tag,
        start: segment.start_sec,
        end: segment.end_sec,
      })),
    },
    ...silent.map((name) => ({ path: join(root, name), truth: [] })),
  ];
}

interface FalconTests {
  readonly tests: {
    readonly diarization_tests: readonly {
      readonly segments: readonly { start_sec: number; end_sec: number; speaker_tag: number }[];
    }[];
  };
}

async function recordingsIn(folder: string): Promise<Recording[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.rttm')).sort();
  return await Promise.all(
    names.map(async (name) => {
      const stem = basename(name, extname(name));
      const truth = (await readRttm(join(folder, name))).get(stem) ?? [];
      return { path: join(folder, `${stem}.wav`), truth };
    }),
  );
}

/** Reads the segments of each recording: `SPEAKER name 1 start seconds <NA> <NA> speaker`. */
async function readRttm(path: string): Promise<Map<string, SpokenSegment[]>> {
  const found = new Map<string, SpokenSegment[]>();
  for (const line of (await readFile(path, 'utf8')).trim().split('\n')) {
    const [, name = '', , start, seconds, , , speaker = ''] = line.split(' ');
    const segment = { speaker, start: Number(start), end: Number(start) + Number(seconds) };
    found.set(name, [...(found.get(name) ?? []), segment]);
  }
  return found;
}
