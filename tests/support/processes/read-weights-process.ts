import { WeightStore } from '../../../server/runtime/weight-store/index.ts';

/** Process that reads weights: `read-weights-process.ts <directory> <card as JSON>`. */
const [, , directory = '', card = ''] = process.argv;
const store = new WeightStore({ directory, mirror: null, isOffline: false });
const bytes = await store.read(JSON.parse(card), { signal: new AbortController().signal });
process.stdout.write(String(bytes.length));
