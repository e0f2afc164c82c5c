import type { EncodedPacket, EncodedVideoPacketSource, Output } from 'mediabunny';
import { OperationError } from '../../core/operation/errors.ts';
import type {
  EncodedVideo,
  VideoEncodeOptions,
  VideoFormat,
  VideoFrame,
} from '../../core/runtime/video-codec.ts';
import { alphaToI420, toI420 } from '../../kernels/colour/i420.ts';
import { evenSides } from '../../kernels/raster/stack-matte.ts';
import { type AudioTrackCodecs, addAudioTrack } from './audio-track.ts';

const PAGE_BYTES = 1_048_576;

/** File in memory that accepts writes at any position. It grows page by page and never moves. */
export class PagedBytes {
  readonly #pages: Uint8Array<ArrayBuffer>[] = [];
  #size = 0;

  /** Writes bytes at `position`; gaps read as zero. */
  write(position: number, bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; ) {
      const at = position + done;
      const offset = at % PAGE_BYTES;
      const part = bytes.subarray(done, done + PAGE_BYTES - offset);
      this.#page(Math.floor(at / PAGE_BYTES)).set(part, offset);
      done += part.length;
    }
    this.#size = Math.max(this.#size, position + bytes.length);
  }

  /** Returns the file so far. */
  toBlob(mediaType: string): Blob {
    const whole = new Blob(this.#pages, { type: mediaType });
    return whole.slice(0, this.#size, mediaType);
  }

  #page(index: number): Uint8Array<ArrayBuffer> {
    while (this.#pages.length <= index) this.#pages.push(new Uint8Array(PAGE_BYTES));
    return this.#pages[index];
  }
}

/** Frame as a packet. */
export interface EncodedFrame {
  readonly packet: EncodedPacket;
  /** Decoder configuration of this packet and the following ones, where it changes. */
  readonly decoderConfig: VideoDecoderConfig | undefined;
}

/** Encoder of one video, H.264 for mp4 and VP9 for webm: one packet per frame, in order. */
export interface PlaneEncoder {
  /**
   * Encodes a frame.
   * @param planes of `toI420`
   * @returns the packets that are ready
   */
  encode(planes: Uint8Array<ArrayBuffer>, frame: VideoFrame): Promise<readonly EncodedFrame[]>;
  /**
   * Flushes the encoder.
   * @returns the remaining packets
   */
  finish(): Promise<readonly EncodedFrame[]>;
  close(): void;
}

/** Codecs of a device. */
export interface MuxCodecs extends AudioTrackCodecs {
  /**
   * Opens an encoder.
   * @param first has the size of all frames
   * @throws OperationError `unavailable` when there is no such encoder
   */
  openEncoder(options: VideoEncodeOptions, first: VideoFrame): Promise<PlaneEncoder>;
}

/** Writes frames as H.264 in MP4, or as VP9 in WebM with separate alpha; interleaves the audio. */
export async function muxVideo(
  frames: AsyncIterable<VideoFrame>,
  options: VideoEncodeOptions,
  codecs: MuxCodecs,
): Promise<EncodedVideo> {
  const { EncodedVideoPacketSource } = await import('mediabunny');
  const { format, signal } = options;
  const bytes = new PagedBytes();
  const output = await openOutput(format, bytes);
  const source = new EncodedVideoPacketSource(format === 'mp4' ? 'avc' : 'vp9');
  output.addVideoTrack(source, { canBeTransparent: options.alpha });
  const audio = await addAudioTrack(options, output, codecs);
  const encoder = new FrameEncoder(options, codecs.openEncoder);
  try {
    await output.start();
    for await (const frame of frames) {
      signal.throwIfAborted();
      await encoder.encode(format === 'mp4' ? evenSides(frame) : frame);
      await addAll(source, encoder);
      await audio.feed(frame.timestampSeconds + frame.durationSeconds);
    }
    await encoder.finish();
    await addAll(source, encoder);
    await audio.finish();
    await output.finalize();
  } catch (thrown) {
    await output.cancel();
    throw thrown;
  } finally {
    encoder.close();
  }
  return { blob: bytes.toBlob(`video/${format}`), warnings: audio.warnings() };
}

async function openOutput(format: VideoFormat, bytes: PagedBytes): Promise<Output> {
  const { Mp4OutputFormat, Output, StreamTarget, WebMOutputFormat } = await import('mediabunny');
  const writable = new WritableStream({
    write: ({ data, position }: { data: Uint8Array; position: number }) => bytes.write(position, data),
  });
  return new Output({
    format: format === 'mp4' ? new Mp4OutputFormat({ fastStart: 'in-memory' }) : new WebMOutputFormat(),
    target: new StreamTarget(writable),
  });
}

async function addAll(source: EncodedVideoPacketSource, encoder: FrameEncoder): Promise<void> {
  for (const { packet, decoderConfig } of encoder.takeReady()) {
    await source.add(packet, decoderConfig && { decoderConfig });
  }
}

/** Encoders of one video: one for colours and, where alpha is kept, one for alpha. */
class FrameEncoder {
  readonly #options: VideoEncodeOptions;
  readonly #openEncoder: MuxCodecs['openEncoder'];
  #first: VideoFrame | null = null;
  #colours: PlaneEncoder | null = null;
  #opacity: PlaneEncoder | null = null;
  readonly #colourFrames: EncodedFrame[] = [];
  readonly #opacityFrames: EncodedFrame[] = [];

  constructor(options: VideoEncodeOptions, openEncoder: MuxCodecs['openEncoder']) {
    this.#options = options;
    this.#openEncoder = openEncoder;
  }

  async encode(frame: VideoFrame): Promise<void> {
    const colours = await this.#open(frame);
    if (this.#first?.width !== frame.width || this.#first.height !== frame.height) {
      throw new OperationError(
        'unprocessable',
        'The frame size changes during the video. Export it at one size.',
      );
    }
    this.#colourFrames.push(...(await colours.encode(toI420(frame), frame)));
    if (this.#opacity) this.#opacityFrames.push(...(await this.#opacity.encode(alphaToI420(frame), frame)));
  }

  async finish(): Promise<void> {
    if (!this.#colours) throw new OperationError('unprocessable', 'The video has no frames.');
    this.#colourFrames.push(...(await this.#colours.finish()));
    if (this.#opacity) this.#opacityFrames.push(...(await this.#opacity.finish()));
  }

  /** Returns the packets that are ready: both encoders return them in the same order, but not at the same moment. */
  *takeReady(): Generator<EncodedFrame, void, undefined> {
    while (this.#colourFrames.length > 0 && (!this.#opacity || this.#opacityFrames.length > 0)) {
      const { packet, decoderConfig } = this.#colourFrames.shift() as EncodedFrame;
      const alpha = this.#opacityFrames.shift();
      yield {
        packet: alpha ? packet.clone({ sideData: { alpha: alpha.packet.data } }) : packet,
        decoderConfig,
      };
    }
  }

  close(): void {
    this.#colours?.close();
    this.#opacity?.close();
  }

  async #open(first: VideoFrame): Promise<PlaneEncoder> {
    if (this.#colours) return this.#colours;
    this.#first = first;
    if (this.#options.alpha) this.#opacity = await this.#openEncoder(this.#options, first);
    this.#colours = await this.#openEncoder(this.#options, first);
    return this.#colours;
  }
}
