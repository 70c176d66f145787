/** Checks that everything that the documentation names exists: links, headings, files and npm scripts. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brokenReferences } from './docs/broken-references.mjs'
import { listedFiles } from './listed-files.mjs'
import { root } from './prepare.mjs'

const files = listedFiles()
const pages = files.filter((file) => file.endsWith('.md'))
const broken = pages.flatMap((page) =>
  brokenReferences(page, files, (file) => readFileSync(join(root, file), 'utf8')).map((each) => `${page}: ${each}`),
)
for (const each of broken) console.error(each)
console.log(`${pages.length} pages, ${broken.length} references to what is not there`)
process.exit(broken.length > 0 || pages.length < 20 ? 1 : 0)
