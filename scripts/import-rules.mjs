/** Who may import whom. Read from top to bottom, the rules describe the architecture. */
const severity = 'error'
const test = '\\.(test|test-support)\\.tsx?$|/test/'

export const importRules = [
  { name: 'no circles', severity, from: {}, to: { circular: true } },
  packageImports('contract', 'node_modules/zod', { andNode: false }),
  packageImports('rules', '^packages/contract/src', { andNode: false }),
  packageImports('region-protocol', 'node_modules/(zod|(@types/)?yauzl)/'),
  packageImports('durable-file', '(?!)'),
  packageImports('tracing', 'node_modules/(zod|@opentelemetry)/'),
  packageImports('embedded-postgres-server', '^packages/durable-file/src|node_modules/(@types/)?pg(-copy-streams)?/'),
  {
    // Without a collector nothing of it is loaded.
    name: 'OpenTelemetry is imported in one file',
    severity,
    from: { pathNot: '^packages/tracing/src/open-telemetry\\.ts$|node_modules' },
    to: { path: 'node_modules/@opentelemetry/' },
  },
  {
    name: 'packages do not import apps',
    severity,
    from: { path: '^packages/' },
    to: { path: '^apps/' },
  },
  ...['server', 'region', 'console', 'cli'].map((app) => ({
    name: `${app} imports no other app and no dev-env`,
    severity,
    from: { path: `^apps/${app}/src`, pathNot: test },
    to: { path: '^(apps/|packages/dev-env)', pathNot: `^apps/${app}/` },
  })),
  {
    name: 'what the command line is made of knows no noun',
    severity,
    from: { path: '^apps/cli/src/((terminal|output|connection)/|arguments\\.ts$)' },
    to: { path: '^apps/cli/src/', pathNot: '^apps/cli/src/((terminal|output|connection)/|(arguments|failure)\\.ts$)' },
  },
  {
    name: 'the platform knows no domain',
    severity,
    from: { path: '^apps/server/src/platform', pathNot: test },
    to: { path: '^apps/server/src/', pathNot: '^apps/server/src/platform' },
  },
  {
    name: 'the record of changes knows the platform only',
    severity,
    from: { path: '^apps/server/src/changes/', pathNot: test },
    to: { path: '^apps/server/src/', pathNot: '^apps/server/src/(platform|changes)/' },
  },
  {
    name: 'operations know no kind',
    severity,
    from: { path: '^apps/server/src/operations', pathNot: test },
    to: { path: '^apps/server/src/', pathNot: '^apps/server/src/(platform|operations|changes)/' },
  },
  {
    name: 'the engine of operations is known by its index only',
    severity,
    from: { path: '^apps/server/src/operations/', pathNot: `^apps/server/src/operations/engine/|${test}` },
    to: { path: '^apps/server/src/operations/engine/', pathNot: '/engine/index\\.ts$' },
  },
  {
    name: 'the engine of operations knows nothing of steps',
    severity,
    from: { path: '^apps/server/src/operations/engine/', pathNot: test },
    to: { path: '^apps/server/src/', pathNot: '^apps/server/src/(operations/engine|platform)/' },
  },
  {
    name: 'features do not import app',
    severity,
    from: {
      path: '^apps/server/src/',
      pathNot: `^apps/server/src/(app/|main\\.ts|(rotate-secrets|upgrade-postgres|use-store)\\.ts)|${test}`,
    },
    to: { path: '^apps/server/src/app/' },
  },
  {
    name: 'features meet at index.ts only',
    severity,
    from: { path: '^apps/server/src/([^/]+)/', pathNot: test },
    to: {
      path: '^apps/server/src/([^/]+)/',
      pathNot: '^apps/server/src/($1|platform)/|^apps/server/src/[^/]+/index\\.ts$',
    },
  },
  {
    // Code that two parts need is in rooms/ itself or in rooms/steps/.
    name: 'the parts of rooms do not import each other',
    severity,
    from: { path: '^apps/server/src/rooms/(list|lifecycle|databases|steps)/', pathNot: test },
    to: {
      path: '^apps/server/src/rooms/(list|lifecycle|databases)/',
      pathNot: '^apps/server/src/rooms/$1/',
    },
  },
  {
    // What is loaded on demand is imported from its own file: the index would load the whole feature.
    name: 'features of the console meet at index.ts only',
    severity,
    from: { path: '^apps/console/src/([^/]+)', pathNot: `\\.gen\\.ts$|^apps/console/src/routes/|${test}` },
    to: {
      path: '^apps/console/src/([^/]+)/',
      pathNot: '^apps/console/src/($1|app|api|ui|locales)/|^apps/console/src/[^/]+/index\\.ts$',
      dynamic: false,
    },
  },
  {
    name: 'features of the console do not import app',
    severity,
    from: { path: '^apps/console/src/', pathNot: `^apps/console/src/(app/|routes/|testing/|main\\.tsx)|${test}` },
    to: { path: '^apps/console/src/(app|routes)/' },
  },
  {
    name: 'routes of the console import pages, what is in their addresses, and indexes',
    severity,
    from: { path: '^apps/console/src/routes/' },
    to: {
      path: '^apps/console/src/',
      pathNot:
        '^apps/console/src/((routes|app|api|ui|locales)/|store\\.ts$)|/index\\.ts$|/(\\w+Page|RoomHistory)\\.tsx$|search\\.ts$',
      dynamic: false,
    },
  },
  ...['api', 'ui'].flatMap((part) => [
    partOfConsole(part, { path: `^apps/console/src/${part}/`, pathNot: test }),
    // Their tests may also open the simulated browser.
    partOfConsole(`${part} in tests`, { path: `^apps/console/src/${part}/.*(?:${test})` }, [part, 'testing']),
  ]),
  {
    name: 'the texts of failures know neither api nor ui',
    severity,
    from: { path: '^apps/console/src/locales/(error-texts|load-texts|number-format)\\.ts$' },
    to: { path: '^apps/console/src/', pathNot: '^apps/console/src/locales/' },
  },
]

/** Nothing but itself, what fits the pattern, and Node. */
function packageImports(name, pattern, { andNode = true } = {}) {
  return {
    name: `${name} imports only what its rule names`,
    severity,
    from: { path: `^packages/${name}/src`, pathNot: test },
    to: {
      pathNot: `^packages/${name}/src|${pattern}`,
      ...(andNode ? { dependencyTypesNot: ['core'] } : {}),
    },
  }
}

/** Both `api` and `ui` tell failures, by the same texts. */
function partOfConsole(name, from, known = [name]) {
  const to = {
    path: '^apps/console/src/',
    pathNot: `^apps/console/src/((${known.join('|')})/|store\\.ts$|locales/(error-texts|load-texts|number-format)\\.ts$)`,
  }
  return { name: `${name} of the console knows no other part`, severity, from, to }
}
