import {
  AV_LOG_QUIET,
  AV_OPT_SEARCH_CHILDREN,
  AV_OPT_TYPE_STRING,
  AV_PIX_FMT_GRAY8,
  AV_PIX_FMT_YUVJ420P,
  AVCOL_PRI_BT709,
  AVCOL_RANGE_JPEG,
  AVCOL_SPC_SMPTE170M,
  AVCOL_TRC_IEC61966_2_1,
  FF_ENCODER_LIBX265,
} from 'node-av/constants';
import { Codec, CodecContext, FFmpegError, Frame, Log, Packet, Rational } from 'node-av/lib';
import type { StillSource } from '../../../models/media/image/heif/encode-heic.ts';

// Errors come back as codes; FFmpeg's own lines would only clutter the process's log.
Log.setLevel(AV_LOG_QUIET);

const PIXEL_FORMATS = { colour: AV_PIX_FMT_YUVJ420P, alpha: AV_PIX_FMT_GRAY8 } as const;

/**
 * Encodes one HEVC still image.
 * @param constantRateFactor 0 to 51, best first
 * @returns an Annex B stream
 */
export function encodeHevcStill(source: StillSource, constantRateFactor: number): Uint8Array {
  const frame = getFrame(source);
  const context = openEncoder(source, constantRateFactor);
  const packet = new Packet();
  try {
    frame.pts = 0n;
    FFmpegError.throwIfError(context.sendFrameSync(frame), 'send frame');
    FFmpegError.throwIfError(context.sendFrameSync(null), 'flush');
    packet.alloc();
    FFmpegError.throwIfError(context.receivePacketSync(packet), 'receive packet');
    return new Uint8Array(packet.data ?? []);
  } finally {
    packet.free();
    context.freeContext();
    frame.free();
  }
}

function openEncoder({ width, height, kind }: StillSource, constantRateFactor: number): CodecContext {
  const codec = Codec.findEncoderByName(FF_ENCODER_LIBX265);
  const context = new CodecContext();
  context.allocContext3(codec);
  context.width = width;
  context.height = height;
  context.timeBase = new Rational(1, 25);
  context.pixelFormat = PIXEL_FORMATS[kind];
  context.colorRange = AVCOL_RANGE_JPEG;
  context.colorSpace = AVCOL_SPC_SMPTE170M;
  context.colorPrimaries = AVCOL_PRI_BT709;
  context.colorTrc = AVCOL_TRC_IEC61966_2_1;
  // Options are set one by one: a dictionary passed to open2 corrupts the heap.
  const set = (name: string, value: string): void => {
    FFmpegError.throwIfError(
      context.setOption(name, value, AV_OPT_TYPE_STRING, AV_OPT_SEARCH_CHILDREN),
      name,
    );
  };
  // For a single image the slower presets take two to four times as long and save a hundredth.
  set('preset', 'veryfast');
  if (kind === 'colour') set('profile', 'mainstillpicture');
  set('crf', String(constantRateFactor));
  set('x265-params', 'log-level=none:info=0:keyint=1');
  FFmpegError.throwIfError(context.open2Sync(codec), 'open libx265');
  return context;
}

function getFrame({ width, height, samples, kind }: StillSource): Frame {
  const buffer = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
  return Frame.fromVideoBuffer(buffer, {
    width,
    height,
    format: PIXEL_FORMATS[kind],
    timeBase: { num: 1, den: 25 },
  });
}
