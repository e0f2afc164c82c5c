import {
  type AudioCodec,
  AudioSampleSink,
  AudioSampleSource,
  canEncodeAudio,
  EncodedAudioPacketSource,
  EncodedPacketSink,
  type InputAudioTrack,
  type Output,
  Quality,
} from 'mediabunny';
import {
  encodedAnew,
  SOUND_SAMPLE_RATE,
  type Sound,
  type SoundCodec,
  type SoundStep,
  silence,
  soundOf,
  soundPlan,
  soundTime,
} from '../../../models/kernels/video/sound.ts';
import type { VideoEncodeOptions } from '../../../models/video-codec.ts';
import { openInput } from './open-input.ts';

/** Adds the sound of another file to an output that has not been started, if that file has any. */
export async function openSound(options: VideoEncodeOptions, output: Output): Promise<Sound> {
  const { soundFrom, format } = options;
  const track = soundFrom && (await openInput(soundFrom).getPrimaryAudioTrack());
  if (!track) return silence();
  const codec = await track.getCodec();
  const plan = soundPlan(format, codec);
  if (plan.kind === 'copy' && codec)
    return soundOf(await copying(track, codec, options, output), options, []);
  const target = plan.kind === 'encode' ? await firstWritable(plan.codecs) : null;
  if (!target || !(await track.canDecode())) {
    return silence([
      `The sound was left out: this browser cannot turn ${codec ?? 'its codec'} into what ${format} holds.`,
    ]);
  }
  return soundOf(await encoding(track, target, output), options, [encodedAnew(codec, target, format)]);
}

async function copying(
  track: InputAudioTrack,
  codec: AudioCodec,
  { format }: VideoEncodeOptions,
  output: Output,
): Promise<SoundStep> {
  const source = new EncodedAudioPacketSource(codec);
  output.addAudioTrack(source, { languageCode: await track.getLanguageCode() });
  const decoderConfig = (await track.getDecoderConfig()) ?? undefined;
  const packets = new EncodedPacketSink(track).packets();
  return async () => {
    const { value: packet } = await packets.next();
    if (!packet) return null;
    const timestamp = soundTime(packet, format);
    if (timestamp !== null) await source.add(packet.clone({ timestamp }), decoderConfig && { decoderConfig });
    return packet.timestamp;
  };
}

async function encoding(track: InputAudioTrack, codec: AudioCodec, output: Output): Promise<SoundStep> {
  const numberOfChannels = Math.min(2, await track.getNumberOfChannels());
  const source = new AudioSampleSource({
    codec,
    quality: new Quality('high'),
    transform: { sampleRate: SOUND_SAMPLE_RATE, numberOfChannels },
  });
  output.addAudioTrack(source, { languageCode: await track.getLanguageCode() });
  const samples = new AudioSampleSink(track).samples(0);
  return async () => {
    const { value: sample } = await samples.next();
    if (!sample) return null;
    const { timestamp } = sample;
    if (timestamp < 0) sample.setTimestamp(0);
    await source.add(sample);
    sample.close();
    return timestamp;
  };
}

async function firstWritable(codecs: readonly SoundCodec[]): Promise<SoundCodec | null> {
  for (const codec of codecs) {
    if (
      await canEncodeAudio(codec, {
        sampleRate: SOUND_SAMPLE_RATE,
        numberOfChannels: 2,
        quality: new Quality('high'),
      })
    ) {
      return codec;
    }
  }
  return null;
}
