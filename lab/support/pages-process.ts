import { createServer } from 'node:http';
import { join } from 'node:path';
import next from 'next';
import { createEncodingChooser } from '../../server/api/transport/negotiate-encoding.ts';

// Started by serve-pages.ts with a port. Sends the compressed files of the build as server/ops/process/web.ts does:
// `next start` would compress 30 MB of WebAssembly again for each visitor.
const [port] = process.argv.slice(2);
const app = next({ dev: false, hostname: '127.0.0.1', port: Number(port) });
await app.prepare();
const handle = app.getRequestHandler();
const chooseEncoding = createEncodingChooser(join(process.cwd(), '.next'));
createServer((request, response) => {
  chooseEncoding(request, response);
  void handle(request, response);
}).listen(Number(port), '127.0.0.1');
