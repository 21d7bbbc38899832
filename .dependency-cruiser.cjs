// Imports run one way. A layer may import itself and what stands after it in this list; a new file of src/ that no layer names belongs
// to the last one, which imports nothing above it.
const layers = [
  { name: 'testing', path: '^src/testing/' },
  { name: 'index', path: '^src/index\\.ts$' },
  { name: 'adapters', path: '^src/adapters/' },
  { name: 'http', path: '^src/http/' },
  { name: 'limiter', path: '^src/(limiter|check|outcome|registry|reservation|wait-queue|waiting)\\.ts$' },
  { name: 'guards', path: '^src/guards/' },
  { name: 'stores', path: '^src/stores/' },
  { name: 'algorithms', path: '^src/algorithms/' },
]
const named = layers.map(({ path }) => path)
const base = { name: 'base', path: '^src/', pathNot: named }

const unitTest = '\\.test\\.ts$'
/** Who may use the library only as its users do. */
const outside = '^(cli|lab|bench|examples|test)/'

const oneWay = [...layers, base].slice(1).map(({ name, path, pathNot = [] }, index) => ({
  name: `${name}-imports-downwards`,
  comment: `${name} may not import ${layers
    .slice(0, index + 1)
    .map((layer) => layer.name)
    .join(', ')}: imports run one way (ARCHITECTURE.md).`,
  severity: 'error',
  from: { path, pathNot: [...pathNot, unitTest] },
  to: { path: named.slice(0, index + 1) },
}))

module.exports = {
  forbidden: [
    ...oneWay,
    {
      name: 'no-cycles',
      comment: 'Two files that need each other are one file, or three. A type-only import counts.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'library-stands-alone',
      comment: 'The library has no dependency and no node: import, so that it runs anywhere.',
      severity: 'error',
      from: { path: '^src/', pathNot: unitTest },
      to: { pathNot: '^src/' },
    },
    {
      name: 'public-subpaths-only',
      comment:
        "Outside src/ the library is 'headgate' and 'headgate/testing', by name: what users can't reach, nobody here uses.",
      severity: 'error',
      from: { path: outside },
      to: { path: ['^src/', '^dist/'], dependencyTypes: ['local'], dependencyTypesNot: ['aliased'] },
    },
    {
      name: 'workspaces-stand-apart',
      comment: 'A workspace does not reach into another.',
      severity: 'error',
      from: { path: '^(cli|lab|bench|examples)/' },
      to: { path: '^(cli|lab|bench|examples|test|scripts)/', pathNot: '^$1/' },
    },
    {
      name: 'scripts-need-no-install',
      comment: 'The scripts run before anything is installed: they import Node and each other.',
      severity: 'error',
      from: { path: '^scripts/.*\\.mjs$' },
      to: { pathNot: '^scripts/.*\\.mjs$', dependencyTypesNot: ['core'] },
    },
    {
      name: 'resolvable',
      comment: 'An import that leads nowhere.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: ['node_modules', '(^|/)dist/'] },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'default'] },
  },
}
