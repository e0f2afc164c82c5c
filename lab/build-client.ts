import { join } from 'node:path';
import { buildTypeScriptClient } from '../server/ops/build/clients/build-typescript-client.ts';

/** `npm run build-client`: writes the JavaScript and the types of the TypeScript client to its folder `dist`. */
await buildTypeScriptClient(join(import.meta.dirname, '..'));
