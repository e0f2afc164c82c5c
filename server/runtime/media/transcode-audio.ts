import { EncodedPacket } from 'mediabunny';
import type { DecodedAudio, PcmChunk } from '../../../models/core/runtime/audio-codec.ts';
import {
  AUDIO_SAMPLE_RATE,
  type AudioTranscoder,
  packetFeed,
} from '../../../models/media/video/audio-track.ts';
import { AvEncoder } from './av-encoder.ts';

/** Names in WebCodecs' registry. */
const NAMES = { aac: 'mp4a.40.2', opus: 'opus' } as const;

/** Encodes audio with FFmpeg's codecs. */
export const transcodeAudio: AudioTranscoder = async (audio, [codec = 'opus'], format) => {
  const { channelCount } = audio;
  const encoder = new AvEncoder(codec, { sampleRate: AUDIO_SAMPLE_RATE, channelCount });
  const decoderConfig = {
    codec: NAMES[codec],
    sampleRate: AUDIO_SAMPLE_RATE,
    numberOfChannels: channelCount,
    description: encoder.streamInfo() ?? new Uint8Array(0),
  };
  return {
    codec,
    ...(await packetFeed({ codec, decoderConfig, packets: encodedPackets(audio, encoder) }, format)),
  };
};

async function* encodedPackets(audio: DecodedAudio, encoder: AvEncoder): AsyncGenerator<EncodedPacket> {
  const seconds = (samples: bigint) => Number(samples) / AUDIO_SAMPLE_RATE;
  function* encode(chunk: PcmChunk | null): Generator<EncodedPacket> {
    for (const { data, pts, duration } of encoder.packets(chunk))
      yield new EncodedPacket(data, 'key', seconds(pts), seconds(duration));
  }
  try {
    for await (const chunk of audio.chunks()) yield* encode(chunk);
    yield* encode(null);
  } finally {
    encoder.close();
  }
}
