import {
  type MeasuredFile,
  type MeasuredStream,
  PacketTimes,
} from '../../../models/media/audio/read/measure-file.ts';

/** Sections that ffprobe writes, with their fields. Times are in ticks: seconds would be rounded. */
export const SECTIONS = [
  'format_tags=encoder',
  'stream=index,codec_name,codec_type,sample_rate,channels,time_base,duration_ts',
  'stream_disposition=attached_pic',
  'stream_tags=title',
  'packet=stream_index,pts,duration,flags',
].join(':');

/** Reads the lines of ffprobe, of which those of packets come first. */
export function readSections(text: string): MeasuredFile {
  const lines = text.split('\n');
  const getLines = (section: string) => lines.filter((line) => line.startsWith(`${section}|`));
  const streams = new Map(getLines('stream').flatMap((line) => describeStream(readFields(line)) ?? []));
  for (const line of getLines('packet')) {
    const fields = readFields(line);
    const found = streams.get(fields.get('stream_index') ?? '');
    const isCorrupt = fields.get('flags')?.includes('C') ?? false;
    found?.times.add(
      found.toSeconds(fields.get('pts')),
      found.toSeconds(fields.get('duration')) ?? 0,
      isCorrupt,
    );
  }
  const [format = ''] = getLines('format');
  return {
    streams: Array.from(streams.values(), ({ toSeconds: _, ...measured }) => measured),
    encoder: readFields(format).get('tag:encoder') ?? '',
  };
}

interface OpenStream extends MeasuredStream {
  readonly times: PacketTimes;
  /** Converts ticks to seconds; null where ffprobe has none. */
  toSeconds(ticks: string | undefined): number | null;
}

/** Describes a stream by its index; null for subtitles, data and cover images. */
function describeStream(fields: ReadonlyMap<string, string>): [string, OpenStream][] | null {
  const isAudio = fields.get('codec_type') === 'audio';
  const isVideo = fields.get('codec_type') === 'video' && fields.get('disposition:attached_pic') !== '1';
  if (!isAudio && !isVideo) return null;
  const [num = 0, den = 1] = (fields.get('time_base') ?? '').split('/').map(Number);
  const toSeconds = (ticks: string | undefined) => {
    const number = readNumber(ticks);
    // A damaged file may state 0/0.
    return number === null || !(den > 0) ? null : (number * num) / den;
  };
  return [
    [
      fields.get('index') ?? '',
      {
        isAudio,
        codec: fields.get('codec_name') ?? '',
        sampleRate: readNumber(fields.get('sample_rate')) ?? 0,
        channelCount: readNumber(fields.get('channels')) ?? 0,
        name: fields.get('tag:title') ?? '',
        declaredSeconds: toSeconds(fields.get('duration_ts')),
        times: new PacketTimes(),
        toSeconds,
      },
    ],
  ];
}

/** Text between separators. Those within a name are escaped. */
const FIELD = /(?:[^|\\]|\\.)+/g;
const ESCAPED: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r' };

/** Reads the fields of a line, behind the name of its section. */
function readFields(line: string): ReadonlyMap<string, string> {
  const fields = line.match(FIELD)?.slice(1) ?? [];
  return new Map(fields.map((field) => splitField(field)));
}

function splitField(field: string): [string, string] {
  const at = field.indexOf('=');
  const value = field.slice(at + 1).replace(/\\(.)/g, (_, code: string) => ESCAPED[code] ?? code);
  return [field.slice(0, at), value];
}

/** Reads a number; null where ffprobe has none. */
function readNumber(text = 'N/A'): number | null {
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}
