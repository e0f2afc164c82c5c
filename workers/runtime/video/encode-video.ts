import {
  EncodedPacket,
  EncodedVideoPacketSource,
  Mp4OutputFormat,
  Output,
  StreamTarget,
  WebMOutputFormat,
} from 'mediabunny';
import { OperationError } from '../../../models/errors.ts';
import { evenSides } from '../../../models/kernels/video/even-sides.ts';
import { alphaToI420, toI420 } from '../../../models/kernels/video/i420.ts';
import { PagedBytes } from '../../../models/kernels/video/paged-bytes.ts';
import type {
  EncodedVideo,
  VideoEncodeOptions,
  VideoFormat,
  VideoFrame,
} from '../../../models/video-codec.ts';
import { openSound } from './sound.ts';
import { type CodedChunk, WebVideoEncoder } from './video-encoder.ts';

/** H.264 in MP4, or VP9 in WebM with alpha beside it; the sound goes along as the pictures come. */
export async function encodeVideo(
  frames: AsyncIterable<VideoFrame>,
  options: VideoEncodeOptions,
): Promise<EncodedVideo> {
  const { format, signal } = options;
  const bytes = new PagedBytes();
  const output = openOutput(format, bytes);
  const picture = new EncodedVideoPacketSource(format === 'mp4' ? 'avc' : 'vp9');
  output.addVideoTrack(picture, { canBeTransparent: options.alpha });
  const sound = await openSound(options, output);
  const encoder = new FrameEncoder(options);
  try {
    await output.start();
    for await (const frame of frames) {
      signal.throwIfAborted();
      await encoder.encode(format === 'mp4' ? evenSides(frame) : frame);
      await addAll(picture, encoder);
      await sound.feed(frame.timestampSeconds + frame.durationSeconds);
    }
    await encoder.finish();
    await addAll(picture, encoder);
    await sound.finish();
    await output.finalize();
  } catch (thrown) {
    await output.cancel();
    throw thrown;
  } finally {
    encoder.close();
  }
  return { blob: bytes.toBlob(`video/${format}`), warnings: sound.warnings };
}

function openOutput(format: VideoFormat, bytes: PagedBytes): Output {
  const writable = new WritableStream({
    write: ({ data, position }: { data: Uint8Array; position: number }) => bytes.write(position, data),
  });
  return new Output({
    format: format === 'mp4' ? new Mp4OutputFormat({ fastStart: 'in-memory' }) : new WebMOutputFormat(),
    target: new StreamTarget(writable),
  });
}

async function addAll(picture: EncodedVideoPacketSource, encoder: FrameEncoder): Promise<void> {
  for (const { packet, decoderConfig } of encoder.takePackets()) {
    await picture.add(packet, decoderConfig && { decoderConfig });
  }
}

/** The encoders of one video: one for colours and, where alpha is kept, one for it. */
class FrameEncoder {
  readonly #options: VideoEncodeOptions;
  #first: VideoFrame | null = null;
  #colours: WebVideoEncoder | null = null;
  #opacity: WebVideoEncoder | null = null;
  readonly #colourChunks: CodedChunk[] = [];
  readonly #opacityChunks: CodedChunk[] = [];

  constructor(options: VideoEncodeOptions) {
    this.#options = options;
  }

  async encode(frame: VideoFrame): Promise<void> {
    const colours = await this.#open(frame);
    if (this.#first?.width !== frame.width || this.#first.height !== frame.height) {
      throw new OperationError(
        'unprocessable',
        'The video changes its size on the way. Export it at one size.',
      );
    }
    this.#colourChunks.push(...(await colours.encode(toI420(frame), frame)));
    if (this.#opacity) this.#opacityChunks.push(...(await this.#opacity.encode(alphaToI420(frame), frame)));
  }

  async finish(): Promise<void> {
    if (!this.#colours) throw new OperationError('unprocessable', 'The video has no pictures.');
    this.#colourChunks.push(...(await this.#colours.finish()));
    if (this.#opacity) this.#opacityChunks.push(...(await this.#opacity.finish()));
  }

  /** What is ready: both encoders give one chunk for each frame, in order, but not at the same moment. */
  *takePackets(): Generator<{ packet: EncodedPacket; decoderConfig: VideoDecoderConfig | undefined }> {
    while (this.#colourChunks.length > 0 && (!this.#opacity || this.#opacityChunks.length > 0)) {
      const { chunk, decoderConfig } = this.#colourChunks.shift() as CodedChunk;
      const alpha = this.#opacityChunks.shift();
      const sideData = alpha ? { alpha: bytesOf(alpha.chunk) } : {};
      yield { packet: EncodedPacket.fromEncodedChunk(chunk, sideData), decoderConfig };
    }
  }

  close(): void {
    this.#colours?.close();
    this.#opacity?.close();
  }

  async #open(first: VideoFrame): Promise<WebVideoEncoder> {
    if (this.#colours) return this.#colours;
    this.#first = first;
    if (this.#options.alpha) this.#opacity = await WebVideoEncoder.open(this.#options, first);
    this.#colours = await WebVideoEncoder.open(this.#options, first);
    return this.#colours;
  }
}

function bytesOf(chunk: EncodedVideoChunk): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunk.byteLength);
  chunk.copyTo(bytes);
  return bytes;
}
