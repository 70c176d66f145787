/** Checks the import rules of docs/architecture.md with dependency-cruiser. */
import { cruise } from 'dependency-cruiser'
import extractTsConfig from 'dependency-cruiser/config-utl/extract-ts-config'
import { importRules } from './import-rules.mjs'

const folders = ['packages', 'apps/server/src', 'apps/region/src', 'apps/console/src', 'apps/cli/src', 'e2e', 'bench']
const fewestModules = 100

const { output } = await cruise(
  folders,
  {
    validate: true,
    ruleSet: { forbidden: importRules },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(/dist/|\\.gen\\.ts$)' },
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
    },
  },
  {},
  { tsConfig: extractTsConfig('tsconfig.json') },
)
const { violations, totalCruised } = output.summary
for (const { rule, from, to } of violations) console.error(`${rule.name}: ${from} → ${to}`)
console.log(`${totalCruised} modules, ${violations.length} violations`)
// Without the right TypeScript, the tool finds no modules and reports success.
if (totalCruised < fewestModules)
  console.error(`Fewer than ${fewestModules} modules were looked at: something is wrong with the tool.`)
process.exit(violations.length > 0 || totalCruised < fewestModules ? 1 : 0)
