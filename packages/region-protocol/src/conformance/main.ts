/** `npm run region:conformance -- --url http://127.0.0.1:9001`: runs the kit against a region. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { type CheckOutcome, type ConformanceTarget, checksNamed, runConformance } from './index.ts'

const usage = `Usage: npm run region:conformance -- --url <address> [options]

The passwords are read from the environment: REGION_PASSWORD, and REGION_SYSTEM_PASSWORD for the update of system
databases. Checks of what the region does not offer are skipped. What the checks make is removed.

  --url <address>       such as http://127.0.0.1:9001
  --user <name>         the user as whom the kit signs in (superuser)
  --restart <command>   kills the region (SIGKILL), starts it again on the same data in the background, and ends;
                        without it, what has to survive a restart is not checked
  --fast                leaves out what waits for the end of a lock (a minute)
  --only <text>         only checks whose name has this text in it; may be given several times
  --list                names the checks, with the section of docs/region that asks for each
  --json                a line of JSON for each check, and one at the end
  --help                prints this

The exit code is 0 when no check failed, 1 when one did, and 2 when the kit cannot run.`

const text = { type: 'string' } as const
const texts = { type: 'string', multiple: true } as const
const flag = { type: 'boolean', default: false } as const
const restartSeconds = 120

const { values } = argumentsOf()
const { only = [], json, fast: isFast } = values
if (values.help) end(0, usage)
const checks = checksNamed(only)
if (checks.length === 0) end(2, 'No check has this text in its name. --list names all.')
if (values.list) end(0, checks.map(({ name, page, needs = [] }) => [name, page, ...needs].join(' · ')).join('\n'))

const counts = await runConformance(targetOf(), (outcome) => console.log(json ? asJson(outcome) : asText(outcome)), {
  only,
  isFast,
})
const { passed, skipped, failed } = counts
console.log(json ? JSON.stringify(counts) : `${passed} passed, ${skipped} skipped, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

function argumentsOf() {
  const options = { url: text, user: text, restart: text, only: texts, fast: flag, list: flag }
  try {
    return parseArgs({ options: { ...options, json: flag, help: flag } } as const)
  } catch (error) {
    return end(2, `${error instanceof Error ? error.message : error}\n\n${usage}`)
  }
}

function targetOf(): ConformanceTarget {
  const { url, user = 'superuser', restart } = values
  const { REGION_PASSWORD: password, REGION_SYSTEM_PASSWORD: systemPassword } = process.env
  if (url === undefined || !URL.canParse(url))
    return end(2, '--url has to be the address of the region, such as http://127.0.0.1:9001. --help tells more.')
  if (password === undefined)
    return end(2, 'The environment has to hold the password of the region as REGION_PASSWORD.')
  return {
    url,
    userName: user,
    password,
    ...(systemPassword === undefined ? {} : { systemPassword }),
    ...(restart === undefined ? {} : { restart: () => runCommand(restart) }),
  }
}

async function runCommand(command: string): Promise<void> {
  const child = spawn(command, { shell: true, stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = once(child, 'exit', { signal: AbortSignal.timeout(restartSeconds * 1000) })
  const [code] = await ended.catch(() => {
    throw new Error(
      `The command of --restart has not ended after ${restartSeconds} s: it has to start the region in the background.`,
    )
  })
  if (code !== 0) throw new Error(`The command of --restart ended with ${code}.`)
}

function asText({ check, state, text, call }: CheckOutcome): string {
  if (state !== 'failed')
    return `${state === 'passed' ? 'ok     ' : 'skipped'} ${check.name}${text === null ? '' : ` (${text})`}`
  return [`FAILED  ${check.name}`, text, call && `last call: ${call}`, `see docs/region/${check.page}`]
    .filter((line) => line !== null)
    .join('\n')
    .replaceAll('\n', '\n        ')
}

function asJson({ check: { name, page }, state, text, call }: CheckOutcome): string {
  return JSON.stringify({ name, page, state, text, call })
}

function end(code: number, said: string): never {
  if (code === 0) console.log(said)
  else console.error(said)
  process.exit(code)
}
