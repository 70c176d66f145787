import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

// `light-dark()` in the styles and the oldest JavaScript we need.
const browsers = ['chrome123', 'edge123', 'firefox120', 'safari17.5']

// What every page needs goes into one file: it compresses better than in pieces.
const frame =
  /node_modules\/(react|react-dom|scheduler|use-sync-external-store|i18next|react-i18next|@tanstack\/(react-router|router-core|history|store|react-store))\//

// What nearly every page behind the sign-in needs, and no page before it.
const parts = [
  /node_modules\/@tanstack\/(react-query|query-core|react-table|table-core)\//,
  /node_modules\/(@tabler|@mantine\/hooks)\//,
  /@mantine\/core\/esm\/(core|components\/(ActionIcon|Button|Checkbox|CloseButton|InlineInput|Input|InputBase))\//,
  /@mantine\/core\/esm\/components\/(Loader|NativeSelect|TextInput|Transition|UnstyledButton)\//,
  /console\/src\/api\//,
  /console\/src\/ui\/(table\/|EmptyState|MenuOnDemand|Page|Pill|ThinProgress)/,
  /console\/src\/ui\/(dialog\/open-dialogs|format\.ts)/,
]

// What is wrong, in English, for the operators who read English: not before something is wrong. Without a place of its
// own it would come with the contract.
const english = /packages\/contract\/src\/(field-error|reason)-texts\.ts$/

// Which page is where, without the pages: those end with `?tsr-split`.
const routes = /apps\/console\/src\/routes\/.*\.tsx$/

export default defineConfig({
  // The router's plugin reads tsr.config.json and must come before React's.
  plugins: [tanstackRouter({ target: 'react', autoCodeSplitting: true }), react(), precompress()],
  build: {
    target: browsers,
    cssTarget: browsers,
    // Scripts name what they import themselves. A list of all that hangs on each page, as Vite would put it before
    // every import on demand, is a tenth of what the sign-in loads; only the styles need it.
    modulePreload: { resolveDependencies: (_, deps, { hostType }) => (hostType === 'html' ? deps : []) },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'frame', test: frame },
            { name: 'routes', test: routes },
            { name: 'english', test: english },
            { name: 'parts', test: new RegExp(parts.map(({ source }) => source).join('|')), minShareCount: 4 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8080' } },
})

/** Writes a `.gz` beside every script and style, so that the server need not compress the same again and again. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    // From what lies on the disk in the end: other plugins still change the texts while the bundle is made.
    async writeBundle({ dir = '' }, bundle) {
      const paths = Object.keys(bundle).filter((name) => /\.(js|css)$/.test(name))
      for (const path of paths.map((name) => join(dir, name)))
        await writeFile(`${path}.gz`, gzipSync(await readFile(path), { level: 9 }))
    },
  }
}
