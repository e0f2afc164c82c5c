// Prints what the card of the bundled background remover has to say of its file, once models/weights/own-matte.onnx
// or the package next to it is another one: bytes and SHA-256 for models/matting/weights.ts, the latter also for
// models/acceptance/find-acceptance-status.ts. Then `npm run generate` writes the rest.
import { createHash } from 'node:crypto';
import { joinMatte } from '../../server/ops/build/graphs/write-bundled-graphs.ts';

const graph = await joinMatte();
console.log(`bytes: ${graph.length.toLocaleString('en').replaceAll(',', '_')},`);
console.log(`sha256: '${createHash('sha256').update(graph).digest('hex')}',`);
