import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

// The oldest browsers that are supported; README.md names the same. They have `light-dark()` and what our scripts use.
const browsers = ['chrome123', 'edge123', 'firefox128', 'safari17.5']

// Code that every page needs goes into one file, because one file compresses better than several.
const frame =
  /node_modules\/(react|react-dom|scheduler|use-sync-external-store|i18next|react-i18next|@tanstack\/(react-router|router-core|history|store|react-store))\/|contract\/src\/wire-codes\.ts$|console\/src\/locales\/number-format\.ts$/

// Code that nearly every page after the sign-in needs, and no page before it. In one file it makes the list 10 kB smaller.
const parts = [
  /node_modules\/@tanstack\/(react-query|query-core)\//,
  /node_modules\/(@tabler|@mantine\/hooks\/esm\/(?!use-(focus|hotkeys|click-outside|long-press|mutation-observer)))/,
  /@mantine\/core\/esm\/(core|components\/(ActionIcon|Button|Checkbox|CloseButton|InlineInput|Input|InputBase))\//,
  /@mantine\/core\/esm\/components\/(Loader|NativeSelect|Portal|Stack|Text|TextInput|Transition|UnstyledButton)\//,
  /console\/src\/(api|operations)\//,
  /packages\/contract\/src\/(?!.*-texts)/,
  /console\/src\/ui\/(table\/(?!TableFilter|(use-)?page-keys)|EmptyState|MenuOnDemand|Page|Pill|ThinProgress|Toolbar)/,
  /console\/src\/ui\/(dialog\/(open-dialogs|confirm)|ProblemAlert|format\.ts)/,
]

// The English texts of errors, 18 kB, loaded only when there is an error and only for operators who read English. Without
// a group of their own they would be bundled with the contract.
const english = /packages\/contract\/src\/(answer|field-error|reason|refusal)-texts\.ts$/

// Small parts of the frame of every operator page that its menus and dialogs have in common with it. In one file they
// make every page 1.4 kB smaller.
const layout =
  /console\/src\/(app\/Header\.module|command-palette\/(screens|early)|overview\/Health\.)|icons\/Icon(Users|Activity|CloudCog|BarrierBlock)\./

// The routes without the pages, whose modules end with `?tsr-split`.
const routes = /apps\/console\/src\/routes\/.*\.tsx$/

export default defineConfig({
  // The router's plugin reads tsr.config.json and must come before React's.
  plugins: [tanstackRouter({ target: 'react', autoCodeSplitting: true }), react(), withoutJsonSchemas(), precompress()],
  // What index.html and the styles name is relative, so that one build works below every path.
  base: './',
  build: {
    target: browsers,
    cssTarget: browsers,
    // Scripts import what they need themselves, so dynamic imports need only the styles among the dependencies that Vite
    // would list for each; Vite keeps those. The whole lists are a tenth of what the sign-in loads.
    modulePreload: { resolveDependencies: (_, deps, { hostType }) => (hostType === 'html' ? deps : []) },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'frame', test: frame },
            { name: 'routes', test: routes },
            { name: 'parts', test: new RegExp(parts.map(({ source }) => source).join('|')), minShareCount: 10 },
            { name: 'english', test: english },
            { name: 'layout', test: layout },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8080', '/customer_component': 'http://127.0.0.1:8080' } },
})

/** Leaves out Zod's generator of JSON schemas, 6 kB on every page: each schema has methods for it, which no page calls. */
function withoutJsonSchemas(): Plugin {
  const id = '\0no-json-schemas'
  return {
    name: 'without-json-schemas',
    apply: 'build',
    enforce: 'pre',
    resolveId: (source, importer) =>
      importer?.endsWith('/zod/v4/classic/schemas.js') && /json-schema/.test(source) ? id : undefined,
    load: (module) =>
      module === id
        ? 'exports.createStandardJSONSchemaMethod = exports.createToJSONSchemaMethod = () => undefined'
        : undefined,
  }
}

/** Writes a `.gz` beside every script and style, so that the server need not compress them for each request. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    // Compress the files on the disk: other plugins still change their content while the bundle is generated.
    async writeBundle({ dir = '' }, bundle) {
      const paths = Object.keys(bundle).filter((name) => /\.(js|css)$/.test(name))
      for (const path of paths.map((name) => join(dir, name)))
        await writeFile(`${path}.gz`, gzipSync(await readFile(path), { level: 9 }))
    },
  }
}
