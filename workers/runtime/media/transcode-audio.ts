import { AudioSample, AudioSampleSource, canEncodeAudio, Quality } from 'mediabunny';
import { getFrameCount, type PcmChunk } from '../../../models/core/runtime/audio-codec.ts';
import { joinChannels } from '../../../models/kernels/audio/mix-channels.ts';
import {
  AUDIO_SAMPLE_RATE,
  type AudioTargetCodec,
  type AudioTranscoder,
} from '../../../models/media/video/audio-track.ts';

const QUALITY = new Quality('high');

/** Encodes audio with the browser's own codecs. */
export const transcodeAudio: AudioTranscoder = async (audio, codecs) => {
  const codec = await firstWritable(codecs, audio.channelCount);
  if (!codec) return null;
  const source = new AudioSampleSource({ codec, quality: QUALITY });
  const chunks = audio.chunks()[Symbol.asyncIterator]();
  let position = 0;
  const writeNext = async () => {
    const { value: chunk } = await chunks.next();
    if (!chunk) return null;
    const timestamp = position / AUDIO_SAMPLE_RATE;
    const sample = getSample(chunk, timestamp);
    position += getFrameCount(chunk);
    await source.add(sample);
    sample.close();
    return timestamp;
  };
  return { codec, source, writeNext };
};

function getSample(chunk: PcmChunk, timestamp: number): AudioSample {
  return new AudioSample({
    data: joinChannels(chunk),
    format: 'f32-planar',
    numberOfChannels: chunk.length,
    sampleRate: AUDIO_SAMPLE_RATE,
    timestamp,
  });
}

async function firstWritable(
  codecs: readonly AudioTargetCodec[],
  numberOfChannels: number,
): Promise<AudioTargetCodec | null> {
  const options = { sampleRate: AUDIO_SAMPLE_RATE, numberOfChannels, quality: QUALITY };
  for (const codec of codecs) if (await canEncodeAudio(codec, options)) return codec;
  return null;
}
