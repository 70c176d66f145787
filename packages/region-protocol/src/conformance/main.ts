/** `npm run region:conformance -- --url http://127.0.0.1:9001 --user superuser --password …` */
import { parseArgs } from 'node:util'
import { type ConformanceTarget, runConformance } from './index.ts'

const usage = 'Usage: --url <address> --user <name> --password <password> [--system-password <password>]'

const target = targetOf()
if (target === null) {
  console.error(usage)
  process.exit(2)
}
const { passed, skipped, failed } = await runConformance(target, ({ name, failure, isSkipped }) => {
  if (failure !== null) console.log(`FAILED  ${name}\n        ${failure}`)
  else console.log(isSkipped ? `skipped ${name}` : `ok      ${name}`)
})
console.log(`${passed} passed, ${skipped} skipped, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

function targetOf(): ConformanceTarget | null {
  try {
    const text = { type: 'string' } as const
    const { values } = parseArgs({ options: { url: text, user: text, password: text, 'system-password': text } })
    const { url, user, password, 'system-password': systemPassword } = values
    if (url === undefined || !URL.canParse(url) || user === undefined || password === undefined) return null
    return { url, userName: user, password, ...(systemPassword === undefined ? {} : { systemPassword }) }
  } catch {
    return null
  }
}
