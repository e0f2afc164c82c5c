/** Path of the files of ffmpeg.wasm, which is GPL as a whole, in the build's folder of static files. */
const GPL_PATH = /^\/+_next\/+static\/.*ffmpeg-core/is;

/** Reports whether a request is for a GPL file of the pages' build. A path that cannot be decoded counts as one. */
export function isGplFilePath(url: string): boolean {
  const [path = ''] = url.split(/[?#]/, 1);
  try {
    return GPL_PATH.test(decodeURIComponent(new URL(`http://localhost${path}`).pathname));
  } catch {
    return true;
  }
}
