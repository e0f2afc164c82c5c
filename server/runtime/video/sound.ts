import { EncodedAudioPacketSource, type InputAudioTrack, type Output } from 'mediabunny';
import { OperationError } from '../../../models/errors.ts';
import {
  encodedAnew,
  type Sound,
  type SoundStep,
  silence,
  soundOf,
  soundPlan,
  soundTime,
} from '../../../models/kernels/video/sound.ts';
import type { VideoEncodeOptions, VideoFormat } from '../../../models/video-codec.ts';
import { openInput, packetsOf } from './open-input.ts';
import { type SoundStream, transcodeSound } from './transcode-sound.ts';

/** Adds the sound of another file to an output that has not been started, if that file has any. */
export async function openSound(options: VideoEncodeOptions, output: Output): Promise<Sound> {
  const { soundFrom, format } = options;
  const track = soundFrom && (await openInput(soundFrom).getPrimaryAudioTrack());
  if (!track) return silence();
  const codec = await track.getCodec();
  const plan = soundPlan(format, codec);
  const [target = 'opus'] = plan.kind === 'encode' ? plan.codecs : [];
  try {
    const stream = plan.kind === 'copy' ? await copySound(track) : await transcodeSound(track, target);
    const source = new EncodedAudioPacketSource(stream.codec);
    output.addAudioTrack(source, { languageCode: await track.getLanguageCode() });
    const warnings = plan.kind === 'copy' ? [] : [encodedAnew(codec, target, format)];
    return soundOf(stepOf(stream, source, format), options, warnings);
  } catch (thrown) {
    if (!(thrown instanceof OperationError)) throw thrown;
    return silence([`The sound was left out: it cannot be read. ${thrown.message}`]);
  }
}

function stepOf(
  { packets, decoderConfig }: SoundStream,
  source: EncodedAudioPacketSource,
  format: VideoFormat,
): SoundStep {
  return async () => {
    const { value: packet } = await packets.next();
    if (!packet) return null;
    const timestamp = soundTime(packet, format);
    if (timestamp !== null) await source.add(packet.clone({ timestamp }), { decoderConfig });
    return packet.timestamp;
  };
}

async function copySound(track: InputAudioTrack): Promise<SoundStream> {
  const [codec, decoderConfig] = [await track.getCodec(), await track.getDecoderConfig()];
  if (!codec || !decoderConfig) throw new OperationError('unprocessable', 'Its set-up is damaged.');
  return { codec, decoderConfig, packets: packetsOf(track) };
}
