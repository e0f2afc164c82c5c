import {
  type EncodedPacket,
  EncodedVideoPacketSource,
  Mp4OutputFormat,
  Output,
  StreamTarget,
  WebMOutputFormat,
} from 'mediabunny';
import { OperationError } from '../../../models/errors.ts';
import { evenSides } from '../../../models/kernels/video/even-sides.ts';
import { alphaToI420, I420_COLOURS, toI420 } from '../../../models/kernels/video/i420.ts';
import { PagedBytes } from '../../../models/kernels/video/paged-bytes.ts';
import type {
  EncodedVideo,
  VideoEncodeOptions,
  VideoFormat,
  VideoFrame,
} from '../../../models/video-codec.ts';
import { frameOfPlanes } from './pixels.ts';
import { openSound } from './sound.ts';
import { AvVideoEncoder } from './video-encoders.ts';

/** High profile at a level that fits all we write; the file itself carries what the stream says. */
const CODECS = { mp4: 'avc1.640033', webm: 'vp09.00.51.08.01.01.01.01.00' } as const;

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
  using encoder = new FrameEncoder(options);
  try {
    await output.start();
    for await (const frame of frames) {
      signal.throwIfAborted();
      await addAll(picture, encoder.encode(format === 'mp4' ? evenSides(frame) : frame), encoder);
      await sound.feed(frame.timestampSeconds + frame.durationSeconds);
    }
    await addAll(picture, encoder.finish(), encoder);
    await sound.finish();
    await output.finalize();
  } catch (thrown) {
    await output.cancel();
    throw thrown;
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

async function addAll(
  picture: EncodedVideoPacketSource,
  packets: Iterable<EncodedPacket>,
  { config }: FrameEncoder,
): Promise<void> {
  for (const packet of packets) await picture.add(packet, { decoderConfig: config });
}

/** The encoders of one video: one for colours and, where alpha is kept, one for it. */
class FrameEncoder implements Disposable {
  readonly #options: VideoEncodeOptions;
  #size: { readonly width: number; readonly height: number } | null = null;
  #colours: AvVideoEncoder | null = null;
  #opacity: AvVideoEncoder | null = null;

  constructor(options: VideoEncodeOptions) {
    this.#options = options;
  }

  get config() {
    const { width, height } = this.#size ?? { width: 0, height: 0 };
    const codec = CODECS[this.#options.format];
    return { codec, codedWidth: width, codedHeight: height, colorSpace: I420_COLOURS };
  }

  encode(frame: VideoFrame): Iterable<EncodedPacket> {
    const { width, height, timestampSeconds, durationSeconds } = frame;
    const colours = this.#open(frame);
    if (this.#size?.width !== width || this.#size.height !== height) {
      throw new OperationError(
        'unprocessable',
        'The video changes its size on the way. Export it at one size.',
      );
    }
    const times = [timestampSeconds, durationSeconds] as const;
    const packets = colours.encode(frameOfPlanes(toI420(frame), width, height), ...times);
    if (!this.#opacity) return packets;
    const opacities = this.#opacity.encode(frameOfPlanes(alphaToI420(frame), width, height), ...times);
    return withAlpha(packets, opacities);
  }

  finish(): Iterable<EncodedPacket> {
    if (!this.#colours) throw new OperationError('unprocessable', 'The video has no pictures.');
    const packets = this.#colours.encode(null);
    return this.#opacity ? withAlpha(packets, this.#opacity.encode(null)) : packets;
  }

  #open(first: VideoFrame): AvVideoEncoder {
    if (this.#colours) return this.#colours;
    this.#size = { width: first.width, height: first.height };
    if (this.#options.alpha) this.#opacity = new AvVideoEncoder(this.#options, first);
    this.#colours = new AvVideoEncoder(this.#options, first);
    return this.#colours;
  }

  [Symbol.dispose](): void {
    this.#colours?.[Symbol.dispose]();
    this.#opacity?.[Symbol.dispose]();
  }
}

/** Both encoders give one packet for each frame, in order. */
function* withAlpha(
  colours: Iterable<EncodedPacket>,
  opacities: Iterable<EncodedPacket>,
): Generator<EncodedPacket, void, undefined> {
  const alphas = [...opacities];
  for (const packet of colours) {
    const alpha = alphas.shift();
    yield alpha ? packet.clone({ sideData: { alpha: alpha.data } }) : packet;
  }
}
