import { provideFfmpeg } from '../../models/media/audio/read/measure-file.ts';

/** Lets this process measure files by node-av, which is loaded with the first of them. */
export function provideNodeFfmpeg(): void {
  provideFfmpeg(async (file, options) => {
    const { measureFile } = await import('./measure-with-ffmpeg.ts');
    return await measureFile(file, options);
  });
}
