import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import loadWabt from 'wabt';
import { kernelText } from './kernel-text.ts';

const FOLDER = 'workers/runtime/convolution';

/** Assembles the builds of the convolution kernel, by their path below the root. */
export async function assembleKernels(): Promise<Readonly<Record<string, Uint8Array>>> {
  const { parseWat } = await loadWabt();
  const assemble = (isFused: boolean) => {
    const features = { simd: true, threads: true, bulk_memory: true, relaxed_simd: isFused };
    const program = parseWat('convolution', kernelText(isFused), features);
    try {
      return program.toBinary({}).buffer;
    } finally {
      program.destroy();
    }
  };
  return {
    [`${FOLDER}/convolution.wasm`]: assemble(false),
    [`${FOLDER}/convolution-fused.wasm`]: assemble(true),
  };
}

/** Writes the builds of the kernel that have changed. @param root folder of the project */
export async function writeKernels(root: string): Promise<void> {
  for (const [path, program] of Object.entries(await assembleKernels())) {
    const file = join(root, path);
    const known = await readFile(file).catch(() => null);
    if (!known?.equals(program)) await writeFile(file, program);
  }
}
