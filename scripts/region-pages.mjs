/**
 * Generates, from the route table and the code of the reference region, what docs/region says about shapes, codes and
 * formats, and the OpenAPI document there; with `--check`, only checks that all is up to date. In the pages, what stands
 * between `<!-- made: NAME -->` and `<!-- until here -->` is generated; the rest is written by hand.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { blockOf, wantedBlocks } from './region-pages/blocks.mjs'
import { describeRegion } from './region-pages/describe-region.mjs'

const folder = new URL('../docs/region/', import.meta.url)
const isCheck = process.argv.includes('--check')
const { document, forPages } = describeRegion()
const asked = []
const outdated = []

for (const page of readdirSync(folder).filter((name) => name.endsWith('.md'))) {
  const text = readFileSync(new URL(page, folder), 'utf8')
  keep(page, text, await filled(page, text))
}
keep('openapi.json', current('openapi.json'), `${JSON.stringify(document, null, 2)}\n`)

const missing = wantedBlocks().filter((each) => asked.filter((one) => one === each).length !== 1)
for (const each of missing) console.error(`docs/region has to show '${each}' once.`)
for (const each of outdated)
  console.error(`docs/region/${each} is not what the code says: npm run region:pages writes it anew.`)
process.exit(missing.length + outdated.length > 0 ? 1 : 0)

async function filled(page, text) {
  const parts = text.split(/(<!-- made: [^\n]+ -->\n)[\s\S]*?(?=<!-- until here -->)/)
  for (const [index, part] of parts.entries()) {
    const [, name] = /^<!-- made: ([^\n]+) -->\n$/.exec(part) ?? []
    if (name === undefined) continue
    asked.push(name)
    parts[index] = `${part}\n${await blockOf(forPages, name, page)}\n\n`
  }
  return parts.join('')
}

function current(name) {
  try {
    return readFileSync(new URL(name, folder), 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return ''
    throw error
  }
}

function keep(name, before, text) {
  if (text === before) return
  if (isCheck) outdated.push(name)
  else writeFileSync(new URL(name, folder), text)
}
