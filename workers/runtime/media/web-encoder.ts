import {
  AudioSample,
  AudioSampleSource,
  FlacOutputFormat,
  Mp3OutputFormat,
  NullTarget,
  Output,
  Quality,
} from 'mediabunny';
import { getMessage, OperationError } from '../../../models/core/operation/errors.ts';
import { getFrameCount, type PcmChunk, type PcmFormat } from '../../../models/core/runtime/audio-codec.ts';
import { viewBytes } from '../../../models/core/view-bytes.ts';
import { joinChannels } from '../../../models/kernels/audio/mix-channels.ts';
import { MP3_BITS_PER_SECOND } from '../../../models/media/audio/formats/mp3.ts';
import {
  type AudioEncoder,
  type EncodedCodec,
  int16Samples,
} from '../../../models/media/audio/write-audio.ts';

const CODECS = {
  mp3: {
    format: () => new Mp3OutputFormat(),
    encoding: { quality: new Quality({ bitrate: MP3_BITS_PER_SECOND, bitrateMode: 'constant' }) },
    register: async () => (await import('@mediabunny/mp3-encoder')).registerMp3Encoder(),
  },
  flac: {
    format: () => new FlacOutputFormat(),
    encoding: {},
    register: async () => (await import('@mediabunny/flac-encoder')).registerFlacEncoder(),
  },
} as const;

/** Bytes of an encoder's description before STREAMINFO: the mark of the format, and the head of the block. */
const STREAM_INFO_AT = 8;
const STREAM_INFO_BYTES = 34;

/** Opens LAME or libFLAC as WebAssembly (`@mediabunny/*-encoder`), which are loaded on first use. */
export async function openWebEncoder(codec: EncodedCodec, format: PcmFormat): Promise<AudioEncoder> {
  await CODECS[codec].register();
  const encoder = new WebEncoder(codec, format);
  await encoder.start();
  return encoder;
}

class WebEncoder implements AudioEncoder {
  readonly #codec: EncodedCodec;
  readonly #format: PcmFormat;
  readonly #source: AudioSampleSource;
  readonly #output: Output;
  #frames: Uint8Array<ArrayBuffer>[] = [];
  #streamInfo: Uint8Array<ArrayBuffer> | null = null;
  #position = 0;

  constructor(codec: EncodedCodec, format: PcmFormat) {
    this.#codec = codec;
    this.#format = format;
    this.#output = new Output({ format: CODECS[codec].format(), target: new NullTarget() });
    this.#source = new AudioSampleSource({
      codec,
      ...CODECS[codec].encoding,
      onEncodedPacket: ({ data }, meta) => {
        const description = meta?.decoderConfig?.description;
        if (codec === 'flac' && description) this.#streamInfo ??= readStreamInfo(description);
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
        `Writing ${this.#codec.toUpperCase()} failed on this device: ${reason}. Choose wav, or run it on the server.`,
        { kind: 'not_written', cause },
      );
    }
    const frames = this.#frames;
    this.#frames = [];
    return frames;
  }

  async #add(chunk: PcmChunk): Promise<void> {
    const { sampleRate, channelCount } = this.#format;
    const sample = new AudioSample({
      // The format of samples decides on the depth of FLAC.
      ...(this.#codec === 'flac'
        ? { data: int16Samples(chunk), format: 's16' }
        : { data: joinChannels(chunk), format: 'f32-planar' }),
      numberOfChannels: channelCount,
      sampleRate,
      timestamp: this.#position / sampleRate,
    });
    this.#position += getFrameCount(chunk);
    await this.#source.add(sample);
    sample.close();
  }

  streamInfo(): Uint8Array<ArrayBuffer> | null {
    return this.#streamInfo;
  }

  close(): void {
    if (this.#output.state !== 'finalized') void this.#output.cancel();
  }
}

function readStreamInfo(description: AllowSharedBufferSource): Uint8Array<ArrayBuffer> {
  const bytes = viewBytes(description);
  return new Uint8Array(bytes.subarray(STREAM_INFO_AT, STREAM_INFO_AT + STREAM_INFO_BYTES));
}
