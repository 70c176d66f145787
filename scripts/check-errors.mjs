/** Checks that errors are told apart by class or code, never by name or message: those change and are not unique. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './prepare.mjs'

const decisions = [
  /\b(?:error|err|cause|reason|failure)\w*\.message\.(?:includes|startsWith|endsWith|match|search)\(/,
  /\b(?:error|err|cause|failure)\w*\.message [!=]== ['"`]/,
  /\.test\(\w*\.message\)/,
  /\.name [!=]== '[A-Z]\w+(?:Error|Exception)'/,
  /constructor\.name\b/,
]
const files = execFileSync('git', ['ls-files', '--', ':(glob)apps/*/src/**', ':(glob)packages/*/src/**'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
const found = files.flatMap((file) =>
  readFileSync(join(root, file), 'utf8')
    .split('\n')
    .flatMap((line, index) =>
      decisions.some((each) => each.test(line)) ? [`${file}:${index + 1}: ${line.trim()}`] : [],
    ),
)
for (const each of found) console.error(each)
console.log(`${files.length} files, ${found.length} decisions by the name or the text of an error`)
process.exit(found.length > 0 || files.length < 100 ? 1 : 0)
