import { AudioSampleSink, AudioSampleSource, canEncodeAudio, Quality } from 'mediabunny';
import {
  AUDIO_SAMPLE_RATE,
  type AudioTargetCodec,
  type AudioTranscoder,
} from '../../../models/media/audio-track.ts';

const QUALITY = new Quality('high');

/** Re-encodes audio with the browser's own codecs. */
export const transcodeAudio: AudioTranscoder = async (track, codecs) => {
  const codec = await firstWritable(codecs);
  if (!codec || !(await track.canDecode())) return null;
  const numberOfChannels = Math.min(2, await track.getNumberOfChannels());
  const transform = { sampleRate: AUDIO_SAMPLE_RATE, numberOfChannels };
  const source = new AudioSampleSource({ codec, quality: QUALITY, transform });
  const samples = new AudioSampleSink(track).samples(0);
  const writeNext = async () => {
    const { value: sample } = await samples.next();
    if (!sample) return null;
    const { timestamp } = sample;
    if (timestamp < 0) sample.setTimestamp(0);
    await source.add(sample);
    sample.close();
    return timestamp;
  };
  return { codec, source, writeNext };
};

async function firstWritable(codecs: readonly AudioTargetCodec[]): Promise<AudioTargetCodec | null> {
  const options = { sampleRate: AUDIO_SAMPLE_RATE, numberOfChannels: 2, quality: QUALITY };
  for (const codec of codecs) if (await canEncodeAudio(codec, options)) return codec;
  return null;
}
