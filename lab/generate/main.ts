import { join } from 'node:path';
import { bundleHelper } from '../../server/ops/build/bundle-helper.ts';
import { writeVipsGlue } from '../../server/ops/build/patch-vips.ts';
import { writeKernels } from './convolution-kernel.ts';
import { writeGeneratedFiles } from './generate-files.ts';

/**
 * `npm run generate`: writes the files that follow from the operations, the sync client of Python, the convolution
 * kernel and its threads' script, and the glue of wasm-vips.
 */
const root = join(import.meta.dirname, '../..');
writeVipsGlue(root);
bundleHelper(root);
await writeKernels(root);
await writeGeneratedFiles(root);
