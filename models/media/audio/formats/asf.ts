import { noAudio } from './audio-errors.ts';
import { type ByteReader, damagedAudio } from './byte-reader.ts';
import { type RawAudio, trackAmong } from './raw-audio.ts';

// Object and stream GUIDs of the Advanced Systems Format (Microsoft, revision 01.20.05), in the byte order of files.
const FILE_PROPERTIES = 'a1dcab8c47a9cf118ee400c00c205365';
const STREAM_PROPERTIES = '9107dcb7b7a9cf118ee600c00c205365';
const DATA = '3626b2758e66cf11a6d900aa0062ce6c';
const AUDIO_STREAM = '409e69f84d5bcf11a8fd00805f5c442b';
const VIDEO_STREAM = 'c0ef19bc4d5bcf11a8fd00805f5c442b';

/** Bytes of the data object before its packets. */
const DATA_HEAD_BYTES = 50;
const OBJECTS_MAX = 1000;
const HEADER_BYTES_MAX = 10_000_000;
/** Codec by the format tag of WAVEFORMATEX. */
const CODECS: Readonly<Record<number, string>> = {
  352: 'wmav1',
  353: 'wmav2',
  354: 'wmapro',
  355: 'wmalossless',
  85: 'mp3',
  10: 'wmavoice',
};

interface AsfHeader {
  packetBytes: number;
  readonly audio: Pick<RawAudio, 'codec' | 'channelCount' | 'sampleRate'>[];
  hasVideo: boolean;
  /** End of the header, where the data begins. */
  readonly end: number;
}

/**
 * Measures a WMA or WMV file: the time and length of the last data packet that is complete.
 * @param trackNumber audio stream, from 1
 * @throws OperationError `bad_request` when objects are missing or do not fit together, or there is no audio
 */
export async function readAsf(bytes: ByteReader, trackNumber: number): Promise<RawAudio> {
  const { end: headerEnd, audio, packetBytes, hasVideo } = await readHeader(bytes);
  const wanted = audio[trackNumber - 1];
  if (!wanted) throw noAudio();
  const { durationSeconds, isCutOff } = await measurePackets(bytes, headerEnd, packetBytes);
  const startSeconds = await readLostStart(bytes, headerEnd, wanted);
  const track = trackAmong(
    audio.map(() => ''),
    trackNumber,
  );
  return { ...wanted, durationSeconds, startSeconds, isCutOff, hasVideo, ...track };
}

async function readHeader(bytes: ByteReader): Promise<AsfHeader> {
  const end = Number((await bytes.view(0, 30)).getBigUint64(16, true));
  if (end > Math.min(bytes.size, HEADER_BYTES_MAX)) throw damagedAudio('it ends within its header');
  const header: AsfHeader = { packetBytes: 0, audio: [], hasVideo: false, end };
  let at = 30;
  for (let count = 0; at + 24 <= end && count < OBJECTS_MAX; count++) {
    const size = await readObject(bytes, at, header);
    if (size < 24) throw damagedAudio('its objects do not fit together');
    at += size;
  }
  return header;
}

/** "Lavf" in UTF-16, with which FFmpeg's muxer names itself in the header. */
const LAVF = [0x4c, 0, 0x61, 0, 0x76, 0, 0x66, 0] as const;

/**
 * Returns the length at the start that decoders lose: they leave out the two frames by which Microsoft's encoder is
 * late, but FFmpeg's is late by one.
 */
async function readLostStart(
  bytes: ByteReader,
  headerEnd: number,
  { codec, sampleRate }: Pick<RawAudio, 'codec' | 'sampleRate'>,
): Promise<number> {
  if (codec !== 'wmav1' && codec !== 'wmav2') return 0;
  const header = await bytes.read(0, headerEnd);
  const isByFfmpeg = header.some((_, at) => LAVF.every((byte, index) => header[at + index] === byte));
  return isByFfmpeg ? frameSamples(sampleRate, codec) / sampleRate : 0;
}

/** Returns the samples of a frame, as FFmpeg's encoder and decoder derive them from the rate. */
function frameSamples(sampleRate: number, codec: string): number {
  if (sampleRate <= 16_000) return 512;
  return sampleRate <= 22_050 || (sampleRate <= 32_000 && codec === 'wmav1') ? 1024 : 2048;
}

/** Reads one object into `header`. @returns its size in bytes */
async function readObject(bytes: ByteReader, at: number, header: AsfHeader): Promise<number> {
  const head = await bytes.view(at, 24);
  const [guid, size] = [getGuid(head, 0), Number(head.getBigUint64(16, true))];
  if (guid === FILE_PROPERTIES) header.packetBytes = (await bytes.view(at, 104)).getUint32(92, true);
  if (guid === STREAM_PROPERTIES) {
    const view = await bytes.view(at, 96);
    const kind = getGuid(view, 24);
    if (kind === VIDEO_STREAM) header.hasVideo = true;
    if (kind === AUDIO_STREAM) {
      const tag = view.getUint16(78, true);
      const [channelCount, sampleRate] = [view.getUint16(80, true), view.getUint32(82, true)];
      if (channelCount === 0 || sampleRate === 0) throw damagedAudio('its stream makes no sense');
      header.audio.push({ codec: CODECS[tag] ?? `asf_${tag.toString(16)}`, channelCount, sampleRate });
    }
  }
  return size;
}

/** Measures from the send time of the first packet to the end of the last whole one, in seconds: ASF, 5.2.2. */
async function measurePackets(
  bytes: ByteReader,
  dataAt: number,
  packetBytes: number,
): Promise<Required<Pick<RawAudio, 'durationSeconds' | 'isCutOff'>>> {
  const head = await bytes.view(dataAt, DATA_HEAD_BYTES);
  if (getGuid(head, 0) !== DATA || packetBytes < 16) throw damagedAudio('its data is missing');
  const objectEnd = dataAt + Number(head.getBigUint64(16, true));
  const end = objectEnd > dataAt + DATA_HEAD_BYTES ? Math.min(objectEnd, bytes.size) : bytes.size;
  const packets = Math.floor((end - dataAt - DATA_HEAD_BYTES) / packetBytes);
  if (packets < 1) throw damagedAudio('its data is missing');
  const timesAt = async (packet: number) =>
    packetTimes(await bytes.view(dataAt + DATA_HEAD_BYTES + packet * packetBytes, packetBytes));
  const [first, last] = [await timesAt(0), await timesAt(packets - 1)];
  return {
    durationSeconds: last.endSeconds - Math.min(first.startSeconds, last.endSeconds),
    isCutOff: objectEnd > bytes.size,
  };
}

/** Lengths of fields are two bits each: none, 1, 2 or 4 bytes. */
const FIELD_BYTES = [0, 1, 2, 4] as const;

function packetTimes(view: DataView): { readonly startSeconds: number; readonly endSeconds: number } {
  const first = view.getUint8(0);
  // Error correction data comes first if the highest bit is set.
  let at = first & 0x80 ? 1 + (first & 15) : 0;
  if (at + 2 > view.byteLength) throw damagedAudio('its last packet makes no sense');
  const flags = view.getUint8(at);
  at += 2;
  for (const shift of [5, 1, 3]) at += FIELD_BYTES[((flags >> shift) & 3) as 0 | 1 | 2 | 3];
  if (at + 6 > view.byteLength) throw damagedAudio('its last packet makes no sense');
  const startSeconds = view.getUint32(at, true) / 1000;
  return { startSeconds, endSeconds: startSeconds + view.getUint16(at + 4, true) / 1000 };
}

function getGuid(view: DataView, at: number): string {
  return Array.from({ length: 16 }, (_, byte) =>
    view
      .getUint8(at + byte)
      .toString(16)
      .padStart(2, '0'),
  ).join('');
}
