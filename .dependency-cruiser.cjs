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
  'one-shot/finish-video.ts',
  'one-shot/measure-peaks.ts',
  'one-shot/mix-stems.ts',
  'one-shot/preview-fill.ts',
  'one-shot/read-thumbnail.ts',
  'operation/run-operation.ts',
  'regions/enlarge-regions.ts',
  'retouch/retouch.ts',
  'runtime/weight-cache/weight-changes.ts',
  'runtime/weight-cache/weight-folder.ts',
];

/** The TypeScript client, and its parts that need Node. */
const CLIENT_SOURCES = 'clients/typescript/src/';
/** Module of the client's command that the build bundles with the packages that it exports. */
const CLIENT_BUNDLE = `^${CLIENT_SOURCES}cli/mcp/sdk\\.ts$`;
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
const TOOL_CARD = '^app/\\(studio\\)/[^/]+/tool\\.ts$';
const PAGE_LAYERS = [
  ['text', 'state', 'security'],
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
  ['home'].map(studio),
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
const OPERATION_FOLDER = `^models/(${operationFolders().join('|') || '(?!)'})/`;

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

/** Lists the folders of models/ that hold an operation. */
function operationFolders() {
  const names = existsSync('models') ? readdirSync('models') : [];
  return names.filter((name) => existsSync(join('models', name, 'operation.ts')));
}

function escapePattern(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function pathPattern(files) {
  return `^(${files.map(escapePattern).join('|') || '(?!)'})$`;
}

function studio(name) {
  return `(studio)/${name}`;
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
  return `^app/\\(studio\\)/(?!(?:${listed.map((name) => name.slice(studio('').length)).join('|')})/)(?![^/]+/tool\\.ts$)([^/]+)/`;
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
      return [
        { ...rule, from: { path: layerPattern(layer) }, to: { path, pathNot: '^app/\\(studio\\)/$1/' } },
      ];
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
    to: { pathNot: `^(${[from, ...local].join('|')})/|^node_modules/`, dependencyTypesNot: ['core'] },
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
    ...allow('models', [], ['zod', 'mediabunny', 'culori']),
    ...allow('drizzle', [], ['drizzle-orm']),
    ...allow('workers', ['models']),
    ...allow('server', ['models', 'drizzle']),
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
    {
      name: 'wallet-knows-no-jobs',
      severity: 'error',
      from: { path: '^server/money/wallet/' },
      to: { path: '^server/(?!wallet/|base/database/db\\.ts)' },
    },
    {
      name: 'entities-by-their-index',
      comment: 'an entity of server/ is entered through its index.ts',
      severity: 'error',
      from: { path: '^(server|app|scripts)/([^/]+)/?' },
      to: {
        path: '^server/(wallet|jobs|keys|accounts|auth|account-data|audit|heartbeats|mail|pricing|scheduled-tasks|usage|webhooks|storage|fetching|uploads|queue|tracing|secrets|spending|status|receipts|own-workers|request-log)/',
        pathNot: '^server/[^/]+/index\\.ts$|^server/$2/',
      },
    },
    {
      name: 'run-only-through-operation',
      comment: 'pipeline code is reached only by the dynamic import of its operation.ts',
      severity: 'error',
      from: { pathNot: '^models/[^/]+/operation\\.ts$|^tests/' },
      to: { path: '^models/[^/]+/run\\.ts$' },
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
          '^(app|models|node_modules|server/trpc)/',
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
      name: 'files-over-kernels',
      comment: 'file formats may use kernels; kernels know no file format',
      severity: 'error',
      from: { path: '^models/kernels/' },
      to: { path: '^models/media/image/' },
    },
    {
      name: 'shared-models-know-no-operation',
      comment: 'only the registry imports an operation: what operations share knows none of them',
      severity: 'error',
      from: { path: '^models/', pathNot: [OPERATION_FOLDER, '^models/registry\\.ts$'] },
      to: { path: [OPERATION_FOLDER, '^models/registry\\.ts$'] },
    },
    {
      name: 'operations-apart',
      comment: 'what two operations share lies outside of both',
      severity: 'error',
      from: { path: OPERATION_FOLDER },
      to: { path: OPERATION_FOLDER, pathNot: '^models/$1/' },
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
