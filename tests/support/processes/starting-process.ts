import { once } from 'node:events';
import { onStop } from '../../../server/ops/process/lifecycle.ts';

/** Process that starts for ever. With the argument `late` it adds the steps of its stop once its parent has gone. */
const keepAlive = setInterval(() => {}, 1000);
if (process.argv[2] === 'late') {
  process.send?.('starting');
  await once(process, 'disconnect');
}
onStop(async () => void process.stdout.write('first\n'));
onStop(async () => void process.stdout.write('last\n'));
if (process.connected) process.send?.('starting');
await new Promise(() => keepAlive);
