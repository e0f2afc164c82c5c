import type { InputAudioTrack } from 'mediabunny';
import type { AudioContainer } from '../../../core/runtime/audio-facts.ts';
import { readAacMask, readListedChannels } from '../formats/aac/configuration.ts';
import { ambisonic } from '../formats/ambisonic.ts';
import { ByteReader } from '../formats/byte-reader.ts';
import { readFlacMask } from '../formats/flac-mask.ts';
import { readAc3Mask } from '../formats/frames/ac3.ts';
import { readWav } from '../formats/riff/wav.ts';

/** Mapping family of Opus's identification header from which channels have no speakers: RFC 8486. */
const AMBISONIC_FAMILIES = [2, 3];
const FAMILY_AT = 18;

/**
 * Reads which speakers the channels of a track are for, as the mask of WAVEFORMATEXTENSIBLE.
 * @returns null where headers do not say it
 * @throws OperationError `bad_request` for ambisonic sound, whose channels are for no speakers
 */
export async function readChannelMask(
  track: InputAudioTrack,
  container: AudioContainer,
  bytes: ByteReader,
): Promise<number | null> {
  if ((await readChannelCount(track)) <= 2) return null;
  if (container === 'wav') return (await readWav(bytes)).channelMask ?? null;
  if (container === 'flac') return await readFlacMask(bytes);
  const codec = await track.getCodec();
  const description = getBytes((await track.getDecoderConfig())?.description);
  if (codec === 'opus' && AMBISONIC_FAMILIES.includes(description[FAMILY_AT] ?? 0)) throw ambisonic();
  if (codec === 'aac' && description.length >= 2) return readAacMask(description);
  if (codec === 'flac') return await readFlacMask(new ByteReader(new Blob([description])));
  if (codec !== 'ac3' && codec !== 'eac3') return null;
  const { EncodedPacketSink } = await import('mediabunny');
  const packet = await new EncodedPacketSink(track).getFirstPacket();
  return packet && readAc3Mask(packet.data);
}

/** Reads the number of channels. MP4 files state two where AAC lists them one by one. */
export async function readChannelCount(track: InputAudioTrack): Promise<number> {
  const description =
    (await track.getCodec()) === 'aac' ? getBytes((await track.getDecoderConfig())?.description) : null;
  const listed = description && description.length >= 2 ? readListedChannels(description) : null;
  return listed?.channelCount ?? (await track.getNumberOfChannels());
}

function getBytes(source: ArrayBufferView | ArrayBufferLike | undefined): Uint8Array<ArrayBuffer> {
  if (!source) return new Uint8Array(0);
  return ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer as ArrayBuffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source as ArrayBuffer);
}
