/**
 * Loads the definitions of the operations, so that no page bundle contains them. The files that only FFmpeg reads are
 * measured in a worker, which loads it with the first of them.
 */
export async function loadOperations() {
  const [{ OPERATIONS }, { provideFfmpeg }] = await Promise.all([
    import('../../models/registry.ts'),
    import('../../models/media/audio/read/measure-file.ts'),
  ]);
  provideFfmpeg(async (file, options) => {
    const { measureInWorker } = await import('../one-shot/measure-file.ts');
    return await measureInWorker(file, options);
  });
  return OPERATIONS;
}
