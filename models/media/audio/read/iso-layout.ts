import { OperationError } from '../../../core/operation/errors.ts';
import { ByteWindow } from '../../bytes/byte-window.ts';
import { type Box, BoxReader, requiredBox } from '../../containers/box-reader.ts';
import { ambisonic } from '../formats/ambisonic.ts';
import { LAYOUT_BYTES_MIN, LAYOUT_BYTES_WANTED, readCoreAudioMask } from '../formats/core-audio-layout.ts';

const READS_MAX = 4096;
/** Bytes before the boxes of a sample entry, by the version that QuickTime gives to it: ISO 14496-12, 12.2.3. */
const ENTRY_HEAD_BYTES = [28, 44, 64] as const;

/**
 * Reads which speakers the channels of a track of an MP4 or MOV file are for, by the `chan` box of QuickTime. Damaged
 * headers are left to other readers.
 * @returns the mask of WAVEFORMATEXTENSIBLE; null where there is none
 * @throws OperationError `bad_request` for ambisonic sound, which the SA3D box of Google's Spatial Audio RFC states,
 * too
 */
export async function readIsoMask(file: Blob, trackId: number): Promise<number | null> {
  const reader = new BoxReader(new ByteWindow(file, { noun: 'video', readsMax: READS_MAX }));
  const boxes = await readEntryBoxes(reader, file.size, trackId).catch((thrown: unknown) => {
    if (thrown instanceof OperationError) return [];
    throw thrown;
  });
  if (boxes.some(({ type }) => type === 'SA3D')) throw ambisonic();
  const chan = boxes.find(({ type }) => type === 'chan');
  if (!chan || chan.end - chan.start < 4 + LAYOUT_BYTES_MIN) return null;
  const body = await reader.view(chan, Math.min(chan.end - chan.start, 4 + LAYOUT_BYTES_WANTED));
  return readCoreAudioMask(new DataView(body.buffer, body.byteOffset + 4, body.byteLength - 4));
}

/** Lists the boxes within the first sample entry of a track. */
async function readEntryBoxes(reader: BoxReader, size: number, trackId: number): Promise<readonly Box[]> {
  const moov = await reader.first('moov', size);
  for (const trak of moov ? await reader.boxes(moov) : []) {
    if (trak.type !== 'trak') continue;
    const inTrak = await reader.boxes(trak);
    const header = await reader.view(requiredBox(inTrak, 'tkhd'), 24);
    if (header.getUint32(header.getUint8(0) === 1 ? 20 : 12) !== trackId) continue;
    const minf = await reader.path(requiredBox(inTrak, 'mdia'), 'minf');
    const stbl = await reader.boxes(requiredBox(minf, 'stbl'));
    const stsd = requiredBox(stbl, 'stsd');
    const [entry] = await reader.boxes({ ...stsd, start: stsd.start + 8 });
    if (!entry) return [];
    const headBytes = ENTRY_HEAD_BYTES[(await reader.view(entry, 10)).getUint16(8)] ?? ENTRY_HEAD_BYTES[0];
    const inEntry = await reader.boxes({ ...entry, start: entry.start + headBytes });
    const wave = inEntry.find(({ type }) => type === 'wave');
    return wave ? [...inEntry, ...(await reader.boxes(wave).catch(() => []))] : inEntry;
  }
  return [];
}
