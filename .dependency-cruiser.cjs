// Who may import whom. `npm run check:arrows` reads this; tests/checks/arrows.test.ts plants faults in it.
const NODE_BUILTIN = { dependencyTypes: ['core'] };
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
    ...allow('models', [], ['zod']),
    ...allow('drizzle', [], ['drizzle-orm']),
    ...allow('workers', ['models']),
    ...allow('server', ['models', 'drizzle']),
    {
      name: 'models-no-node',
      severity: 'error',
      from: { path: '^(models|drizzle|workers)/' },
      to: NODE_BUILTIN,
    },
    {
      name: 'wallet-knows-no-jobs',
      severity: 'error',
      from: { path: '^server/wallet/' },
      to: { path: '^server/(?!wallet/|db\\.ts)' },
    },
    {
      name: 'entities-by-their-index',
      comment: 'an entity of server/ is entered through its index.ts',
      severity: 'error',
      from: { path: '^(server|app|scripts)/([^/]+)/?' },
      to: {
        path: '^server/(wallet|jobs|keys|accounts|webhooks|storage|fetching|uploads)/',
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
      name: 'app-never-database',
      severity: 'error',
      from: { path: '^app/' },
      to: { path: '^drizzle/' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(\\.next|public)/' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
