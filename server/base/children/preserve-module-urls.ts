import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/**
 * Keeps each module's own `import.meta.url`: compiled code would have that of its file.
 * @param getUrl JavaScript expression of the URL of the module at a path
 */
export function preserveModuleUrls(getUrl: (path: string) => string): Plugin {
  return {
    name: 'own-urls',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const source = await readFile(path, 'utf8');
        return { contents: source.replaceAll('import.meta.url', getUrl(path)), loader: 'ts' };
      });
    },
  };
}
