import { FFmpegError, FormatContext, Packet, type Stream } from 'node-av/lib';

/** Writes the first streams of several files into one, in the order of the paths. @param muxer FFmpeg's name */
export function joinStreams(paths: readonly string[], path: string, muxer: string): void {
  const output = new FormatContext();
  FFmpegError.throwIfError(output.allocOutputContext2(null, muxer, path), muxer);
  const inputs = paths.map((from) => openFirstStream(from, output));
  FFmpegError.throwIfError(output.openOutputSync(), 'open');
  FFmpegError.throwIfError(output.writeHeaderSync(), 'header');
  const packet = new Packet();
  packet.alloc();
  for (let live = inputs; live.length > 0; ) {
    live = live.filter(({ format, stream, target }) => {
      if (format.readFrameSync(packet) < 0) return false;
      packet.rescaleTs(stream.timeBase, target.timeBase);
      packet.streamIndex = target.index;
      FFmpegError.throwIfError(output.interleavedWriteFrameSync(packet), 'write');
      return true;
    });
  }
  FFmpegError.throwIfError(output.writeTrailerSync(), 'trailer');
  output.closeOutputSync();
  packet.free();
  for (const { format } of inputs) format.closeInputSync();
}

function openFirstStream(path: string, output: FormatContext) {
  const format = new FormatContext();
  FFmpegError.throwIfError(format.openInputSync(path), 'open');
  FFmpegError.throwIfError(format.findStreamInfoSync(), 'read');
  const stream = format.streams[0] as Stream;
  const target = output.newStream();
  FFmpegError.throwIfError(stream.codecpar.copy(target.codecpar), 'copy');
  target.codecpar.codecTag = 0;
  target.timeBase = stream.timeBase;
  return { format, stream, target };
}
