// Who may import whom. `npm run check:arrows` reads this; tests/checks/arrows.test.ts plants faults in it.
const { existsSync, readdirSync, readFileSync } = require('node:fs');
const { dirname, join, normalize } = require('node:path');

const NODE_BUILTIN = { dependencyTypes: ['core'] };

/** The modules of workers/ that the pages may import. Everything else in there runs inside a worker. */
const WORKER_DOORS = [
  'bridge/run-slots.ts',
  'device/placement.ts',
  'device/probe-device.ts',
  'device/read-device.ts',
  'edits/enlarge-regions.ts',
  'edits/retouch.ts',
  'one-shot/one-shot.ts',
  'one-shot/reader-loading.ts',
  'operation/load-operations.ts',
  'operation/run-operation.ts',
  'runtime/browser-store.ts',
  'runtime/weight-cache/weight-changes.ts',
  'runtime/weight-cache/weight-folder.ts',
];

/** The TypeScript client, and its parts that need Node. */
const CLIENT_SOURCES = 'clients/typescript/src/';
/** Module of the client's command that the build bundles with the packages that it exports. */
const CLIENT_BUNDLE = `^${CLIENT_SOURCES}cli/mcp-sdk\\.ts$`;
const CLIENT_NODE_PARTS = '(node\\.ts$|cli/)';

/** Packages that a page may carry into the browser. */
const CLIENT_PACKAGES = [
  '@soundtouchjs/audio-worklet',
  '@tanstack/react-query',
  '@trpc/client',
  '@trpc/tanstack-react-query',
  'client-zip',
  'idb',
  'lucide-react',
  'next',
  'react',
  'react-dom',
];
const SERVER_PACKAGES = ['lucide-react', 'next', 'react', 'zod'];

/**
 * Layers of the pages, lowest first: a folder imports only from lower layers. A folder of the studio that is not listed
 * is a tool. Its card, `tool.ts`, belongs to the folder of the list of tools.
 */
const TOOLS = 'tools';
const TOOL_CARD = '^app/studio/[^/]+/tool\\.ts$';
const PAGE_LAYERS = [
  ['security'],
  ['ui'],
  ['run-times'].map(studio),
  ['account', studio('files')],
  ['tools', 'shortcuts'].map(studio),
  ['offline', studio('failures')],
  ['shell', studio('session'), studio('add-files')],
  ['runs'].map(studio),
  ['form'].map(studio),
  ['download', 'sound'].map(studio),
  ['stage'].map(studio),
  ['tool-frame'].map(studio),
  TOOLS,
  ['docs'],
  ['home', 'recipes'].map(studio),
  [
    '(account)',
    '(tools)',
    'api',
    'dashboard',
    'llms.txt',
    'manifest.webmanifest',
    'quality',
    'service-worker.js',
    'share',
    'status',
  ],
];
const LAYERED_FOLDERS = PAGE_LAYERS.flatMap((layer) => (layer === TOOLS ? [] : layer));

const CLIENT = pathPattern(clientModules());
const OPERATION_FOLDER = '^models/operations/([^/]+)/';

/**
 * Districts of server/ and rooms of models/, lowest first: each imports only from itself and from those before it. Several
 * in one entry import nothing of each other.
 */
const DISTRICTS = [['base'], ['runtime', 'io'], ['money'], ['identity'], ['jobs'], ['api'], ['ops']];
const MODEL_ROOMS = [
  ['core'],
  ['kernels'],
  ['media'],
  ['matting', 'moderation'],
  ['acceptance', 'test-mode'],
  ['operations'],
  ['pipeline'],
  ['registry.ts'],
];
/** Districts that others enter by the door of a room, its `index.ts`. */
const DOORED = ['io', 'money', 'identity', 'jobs'];

/** Lists the modules of app/ that run in the browser: those with 'use client', and all that they import in app/. */
function clientModules() {
  const sources = new Map(sourceFiles('app').map((file) => [file, readFileSync(file, 'utf8')]));
  const reached = new Set();
  const open = [...sources.keys()].filter((file) => hasClientDirective(sources.get(file)));
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    open.push(...importsOf(file, sources.get(file)).filter((imported) => sources.has(imported)));
  }
  return [...reached];
}

function sourceFiles(folder) {
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true, recursive: true }) : [];
  return entries
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

function hasClientDirective(source) {
  return /^(\s|\/\/.*|\/\*[\s\S]*?\*\/)*['"]use client['"]/.test(source);
}

/** Lists the relative imports of a module, without those of types alone: nothing of them reaches the browser. */
function importsOf(file, source) {
  const statements = source.matchAll(
    /\b(?:import|export)\b(?!\s+type\b)[^;'"`]*?\bfrom\s*['"](\.[^'"]+)|\bimport\s*\(?\s*['"](\.[^'"]+)/g,
  );
  return [...statements].map(([, from, bare]) => normalize(join(dirname(file), from ?? bare)));
}

/** Forbids imports from a later part of a folder, or from another one of the same entry. */
function orderRules(name, folder, order) {
  return order.flatMap((entry, at) =>
    entry.map((part) => {
      const later = order
        .slice(at)
        .flat()
        .filter((other) => other !== part);
      return {
        name,
        comment: `parts of ${folder}/ import in one direction: ${order.flat().join(', ')}`,
        severity: 'error',
        from: { path: `^${folder}/${escapePattern(part)}(/|$)` },
        to: { path: `^${folder}/(${later.map(escapePattern).join('|') || '(?!)'})(/|$)` },
      };
    }),
  );
}

function escapePattern(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function pathPattern(files) {
  return `^(${files.map(escapePattern).join('|') || '(?!)'})$`;
}

function studio(name) {
  return `studio/${name}`;
}

/** Returns the pattern of a folder of pages. */
function folderPattern(folder) {
  const path = `^app/${escapePattern(folder)}/`;
  return folder === studio('tools') ? `${path}|${TOOL_CARD}` : path;
}

/** Returns the pattern of all folders of a layer of pages. Tools are those of the studio that no layer lists. */
function layerPattern(layer) {
  if (layer !== TOOLS) return layer.map(folderPattern).join('|');
  const listed = LAYERED_FOLDERS.filter((name) => name.startsWith(studio('')));
  return `^app/studio/(?!(?:${listed.map((name) => name.slice(studio('').length)).join('|')})/)(?![^/]+/tool\\.ts$)([^/]+)/`;
}

/** Forbids imports from the same or a higher layer of pages. Each folder needs its own rule, to import from itself. */
function pageLayerRules() {
  return PAGE_LAYERS.flatMap((layer, at) => {
    const path = PAGE_LAYERS.slice(at).map(layerPattern);
    const rule = {
      name: 'page-layers',
      comment: 'a folder of app/ imports only from lower layers',
      severity: 'error',
    };
    if (layer === TOOLS) {
      return [{ ...rule, from: { path: layerPattern(layer) }, to: { path, pathNot: '^app/studio/$1/' } }];
    }
    return layer.map((folder) => {
      const own = folderPattern(folder);
      return { ...rule, from: { path: own }, to: { path, pathNot: own } };
    });
  });
}

const allow = (from, local, modules) => [
  {
    name: `${from}-local`,
    comment: `${from}/ may import only from: ${[from, ...local].join(', ')}`,
    severity: 'error',
    from: { path: `^${from}/` },
    to: { pathNot: `^(${[from, ...local].join('|')})(/|$)|^node_modules/`, dependencyTypesNot: ['core'] },
  },
  ...(modules
    ? [
        {
          name: `${from}-packages`,
          comment: `${from}/ may import only the packages: ${modules.join(', ')}`,
          severity: 'error',
          from: { path: `^${from}/` },
          to: { path: '^node_modules/', pathNot: `^node_modules/(${modules.join('|')})/` },
        },
      ]
    : []),
];

module.exports = {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-circles-of-folders',
      comment: 'folders of models/, workers/ and server/ form a tree, too',
      severity: 'error',
      scope: 'folder',
      from: { path: '^(models|workers|server)/' },
      to: { circular: true },
    },
    ...pageLayerRules(),
    ...allow('models', [], ['zod', 'mediabunny', 'culori', 'fzstd']),
    ...allow('drizzle', [], ['drizzle-orm']),
    ...allow('workers', ['models']),
    // The version of the packages, whose addresses the service serves.
    ...allow('server', ['models', 'drizzle', 'clients/typescript/package.json']),
    ...allow('clients', []),
    {
      name: 'clients-packages',
      comment: 'the client needs no package; its command bundles the SDK of the Model Context Protocol',
      severity: 'error',
      from: { path: '^clients/', pathNot: CLIENT_BUNDLE },
      to: { path: '^node_modules/' },
    },
    {
      name: 'client-bundle',
      comment: 'what the client bundles is the SDK of the Model Context Protocol alone',
      severity: 'error',
      from: { path: CLIENT_BUNDLE },
      to: { path: '^node_modules/', pathNot: '^node_modules/@modelcontextprotocol/sdk/' },
    },
    {
      name: 'client-no-node',
      comment: 'the client runs in browsers; what needs Node lies in node.ts and in the command',
      severity: 'error',
      from: { path: `^${CLIENT_SOURCES}(?!${CLIENT_NODE_PARTS})` },
      to: NODE_BUILTIN,
    },
    {
      name: 'models-no-node',
      severity: 'error',
      from: { path: '^(models|drizzle|workers)/' },
      to: NODE_BUILTIN,
    },
    ...orderRules('districts', 'server', DISTRICTS),
    ...orderRules('rooms-of-models', 'models', MODEL_ROOMS),
    {
      name: 'wallet-knows-no-jobs',
      severity: 'error',
      from: { path: '^server/money/wallet/' },
      to: { path: '^server/(?!money/wallet/|base/)' },
    },
    ...DOORED.map((district) => ({
      name: 'rooms-by-their-door',
      comment:
        'other districts, pages and commands enter a room of server/ through its index.ts, and a room of one file by itself',
      severity: 'error',
      from: { path: '^(app|scripts|server)/', pathNot: `^server/${district}/` },
      to: {
        path: `^server/${district}/`,
        pathNot: [`^server/${district}/[^/]+\\.ts$`, `^server/${district}/[^/]+/index\\.ts$`],
      },
    })),
    {
      name: 'product-without-lab',
      comment: 'what measures, trains, converts and generates is no part of the product',
      severity: 'error',
      from: { path: '^(app|models|workers|server|clients|drizzle)/' },
      to: { path: '^lab/' },
    },
    {
      name: 'run-only-through-operation',
      comment: 'pipeline code is reached only by the dynamic import of its operation.ts',
      severity: 'error',
      from: { pathNot: '^models/operations/[^/]+/operation\\.ts$|^tests/' },
      to: { path: '^models/operations/[^/]+/run\\.ts$' },
    },
    {
      name: 'only-tests-know-tests',
      severity: 'error',
      from: { pathNot: '^tests/' },
      to: { path: '^tests/' },
    },
    {
      name: 'app-client-local',
      comment:
        'code of app/ that runs in the browser may import only from: app, models, the doors of workers, the client without its command and node.ts',
      severity: 'error',
      from: { path: CLIENT },
      to: {
        pathNot: [
          '^(app|models|node_modules|server/api/trpc)/',
          `^workers/(${WORKER_DOORS.join('|')})$`,
          `^${CLIENT_SOURCES}(?!${CLIENT_NODE_PARTS})`,
        ],
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'app-client-trpc-types',
      comment:
        'code of app/ that runs in the browser may import the types of the tRPC router, and nothing else of it',
      severity: 'error',
      from: { path: CLIENT },
      to: { path: '^server/api/trpc/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'app-client-packages',
      comment: `code of app/ that runs in the browser may import only the packages: ${CLIENT_PACKAGES.join(', ')}`,
      severity: 'error',
      from: { path: CLIENT },
      to: { path: '^node_modules/', pathNot: `^node_modules/(${CLIENT_PACKAGES.join('|')})/` },
    },
    {
      name: 'app-client-no-node',
      severity: 'error',
      from: { path: CLIENT },
      to: NODE_BUILTIN,
    },
    {
      name: 'app-server-local',
      comment: 'routes and server components may import only from: app, server, models',
      severity: 'error',
      from: { path: '^app/', pathNot: CLIENT },
      to: { pathNot: '^(app|server|models|node_modules)/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'app-server-packages',
      comment: `routes and server components may import only the packages: ${SERVER_PACKAGES.join(', ')}`,
      severity: 'error',
      from: { path: '^app/', pathNot: CLIENT },
      to: { path: '^node_modules/', pathNot: `^node_modules/(${SERVER_PACKAGES.join('|')})/` },
    },
    {
      name: 'operations-apart',
      comment: 'what two operations share lies outside of both',
      severity: 'error',
      from: { path: OPERATION_FOLDER },
      to: { path: OPERATION_FOLDER, pathNot: '^models/operations/$1/' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(\\.next|public|clients/[^/]+/dist|clients/examples)/' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
