import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';
import { compiledSource } from './compiled-parts.ts';

/**
 * Packages of many small modules in plain JavaScript. Node takes longer to find those than to run them, so compiled
 * code contains them. Every other package is left for Node to load: native ones, those that read files of their own,
 * and all CommonJS.
 */
export const BUNDLED_PACKAGES = /^(drizzle-orm|zod|culori|mediabunny|fzstd)(\/|$)/;

/** Marks imports that the plugin itself resolves. */
const PACKAGE = Symbol('package');

const compiledCode = new Map<string, Promise<string>>();

export interface ChildModules {
  /** Path of a module that exports `serve`, which takes the operations. */
  readonly childModule: string;
  /** Path of a module that exports OPERATIONS. */
  readonly operationsModule: string;
}

/**
 * Returns the code of a child process that serves the operations of a module, as one ES module without types. Node
 * starts it in a third of the time of loading the sources file by file, and all children run the same code. A failure
 * is not cached.
 * @throws Error when a module cannot be read or compiled
 */
export function compileChildCode(modules: ChildModules): Promise<string> {
  const name = JSON.stringify(modules);
  const known = compiledCode.get(name);
  if (known) return known;
  const code = compile(modules);
  compiledCode.set(name, code);
  code.catch(() => compiledCode.delete(name));
  return code;
}

async function compile({ childModule, operationsModule }: ChildModules): Promise<string> {
  const modules = [operationsModule, childModule].map(compiledSource);
  const [operations, child] = modules.map((path) => path && JSON.stringify(pathToFileURL(path).href));
  if (operations && child) {
    return `import { OPERATIONS } from ${operations}; import { serve } from ${child}; serve(OPERATIONS);`;
  }
  // A process that runs compiled code needs no compiler.
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    stdin: {
      contents: `import { OPERATIONS } from ${JSON.stringify(operationsModule)};
        import { serve } from ${JSON.stringify(childModule)};
        serve(OPERATIONS);`,
      resolveDir: '/',
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    // As Node chooses among what a package exports.
    conditions: ['node-addons'],
    mainFields: ['module', 'main'],
    target: `node${process.versions.node}`,
    keepNames: true,
    write: false,
    logLevel: 'silent',
    plugins: [packagesByPath, preserveModuleUrls((path) => JSON.stringify(pathToFileURL(path).href))],
  });
  const [file] = outputFiles;
  if (!file) throw new Error(`${operationsModule}: gave no code`);
  return file.text;
}

/** Resolves other packages to their paths for Node: the code has no folder in which Node could look for them. */
const packagesByPath: Plugin = {
  name: 'packages-by-path',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^[^./]/ }, async ({ path, pluginData, ...rest }) => {
      if (path.startsWith('node:') || pluginData === PACKAGE) return undefined;
      const found = await resolve(path, { ...rest, pluginData: PACKAGE });
      if (BUNDLED_PACKAGES.test(path)) return found;
      return found.errors.length > 0 ? found : { path: pathToFileURL(found.path).href, external: true };
    });
  },
};

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
