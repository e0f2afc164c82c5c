import { AudioSample, AudioSampleSource, Mp3OutputFormat, NullTarget, Output, Quality } from 'mediabunny';
import { getMessage, OperationError } from '../../../models/core/operation/errors.ts';
import { getFrameCount, type PcmChunk, type PcmFormat } from '../../../models/core/runtime/audio-codec.ts';
import { MP3_BITS_PER_SECOND } from '../../../models/media/audio/formats/mp3.ts';
import type { Mp3Encoder } from '../../../models/media/audio/write-audio.ts';

let isRegistered = false;

/** Opens LAME as WebAssembly (@mediabunny/mp3-encoder), which is loaded on first use. */
export async function openMp3Encoder(format: PcmFormat): Promise<Mp3Encoder> {
  if (!isRegistered) {
    const { registerMp3Encoder } = await import('@mediabunny/mp3-encoder');
    registerMp3Encoder();
    isRegistered = true;
  }
  const encoder = new WebMp3Encoder(format);
  await encoder.start();
  return encoder;
}

class WebMp3Encoder implements Mp3Encoder {
  readonly #format: PcmFormat;
  readonly #source: AudioSampleSource;
  readonly #output = new Output({ format: new Mp3OutputFormat(), target: new NullTarget() });
  #frames: Uint8Array<ArrayBuffer>[] = [];
  #position = 0;

  constructor(format: PcmFormat) {
    this.#format = format;
    this.#source = new AudioSampleSource({
      codec: 'mp3',
      quality: new Quality({ bitrate: MP3_BITS_PER_SECOND, bitrateMode: 'constant' }),
      onEncodedPacket: ({ data }) => {
        this.#frames.push(new Uint8Array(data));
      },
    });
    this.#output.addAudioTrack(this.#source);
  }

  start(): Promise<void> {
    return this.#output.start();
  }

  /** @throws OperationError `unavailable` when the encoder fails, or does not start in this browser */
  async encode(chunk: PcmChunk | null): Promise<Uint8Array<ArrayBuffer>[]> {
    try {
      if (chunk && getFrameCount(chunk) > 0) await this.#add(chunk);
      if (!chunk && this.#position > 0) await this.#output.finalize();
    } catch (cause) {
      const reason = getMessage(cause);
      throw new OperationError(
        'unavailable',
        `Writing MP3 failed on this device: ${reason}. Choose wav, or run it on the server.`,
        { kind: 'not_written', cause },
      );
    }
    const frames = this.#frames;
    this.#frames = [];
    return frames;
  }

  async #add(chunk: PcmChunk): Promise<void> {
    const { sampleRate, channelCount } = this.#format;
    const length = getFrameCount(chunk);
    const data = new Float32Array(length * channelCount);
    chunk.forEach((samples, channel) => {
      data.set(samples, channel * length);
    });
    const sample = new AudioSample({
      data,
      format: 'f32-planar',
      numberOfChannels: channelCount,
      sampleRate,
      timestamp: this.#position / sampleRate,
    });
    this.#position += length;
    await this.#source.add(sample);
    sample.close();
  }

  close(): void {
    if (this.#output.state !== 'finalized') void this.#output.cancel();
  }
}
