import { expect, test } from 'vitest';
import { readSections } from '../../workers/runtime/media/read-sections.ts';

const STREAM = 'codec_type=audio|sample_rate=44100|channels=2|time_base=1/44100';

test('the length of packets is that of their samples, which six decimals would round', () => {
  // FLAC in Ogg: 574 packets of 4608 samples, and a last one that fills a minute.
  const lengths = [...new Array<number>(574).fill(4608), 1008];
  let pts = 0;
  const packets = lengths.map((duration) => {
    const line = `packet|stream_index=0|pts=${pts}|duration=${duration}|flags=K__`;
    pts += duration;
    return line;
  });
  const stream = `stream|index=0|codec_name=flac|${STREAM}|duration_ts=2646000|disposition:attached_pic=0`;
  const { streams, encoder } = readSections([...packets, stream, 'format|tag:encoder=Lavf', ''].join('\n'));
  expect(encoder).toBe('Lavf');
  expect(streams).toEqual([
    expect.objectContaining({ codec: 'flac', sampleRate: 44_100, channelCount: 2, declaredSeconds: 60 }),
  ]);
  const [{ times } = { times: null }] = streams;
  expect(times?.endSeconds).toBe(60);
  expect(times?.codedSeconds).toBeCloseTo(60, 9);
});

test('a name with separators stays whole, and sets no other field', () => {
  const title = String.raw`a\|channels=9\\b\nc`;
  const text = `packet|stream_index=1|pts=N/A|duration=441|flags=K_C\nstream|index=1|${STREAM}|duration_ts=N/A|tag:title=${title}\nstream|index=2|codec_type=subtitle\n`;
  expect(readSections(text).streams).toMatchObject([
    { name: 'a|channels=9\\b\nc', channelCount: 2, declaredSeconds: null, times: { partSeconds: 0.01 } },
  ]);
});

test('packets of no known length last until the next one, and the last as long as the one before it', () => {
  const packets = [0, 960, 1920].map((pts) => `packet|stream_index=0|pts=${pts}|duration=N/A|flags=K_`);
  const stream = 'stream|index=0|codec_name=opus|codec_type=audio|sample_rate=48000|time_base=1/48000';
  const [{ times } = { times: null }] = readSections([...packets, stream, ''].join('\n')).streams;
  expect(times?.endSeconds).toBeCloseTo(0.06, 9);
});

test('a damaged stream without a time base has no times, rather than ones that are no numbers', () => {
  const stream = 'stream|index=0|codec_name=opus|codec_type=audio|time_base=0/0|duration_ts=960';
  const [described] = readSections(`packet|stream_index=0|pts=960|duration=960\n${stream}\n`).streams;
  expect(described?.declaredSeconds).toBeNull();
  expect(described?.times.endSeconds).not.toBeNaN();
});
