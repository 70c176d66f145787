/** Runs some tests in the working copy and returns the first failure. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { environment, ownNode } from '../prepare.mjs'

const minutesAtMost = 10
/** Time for what a test has started to end with it. */
const graceMilliseconds = 15_000

let running = null
let isStopping = false

/** @returns {{ file: string, name: string | null }} */
export function readTest(test) {
  const [file, ...name] = test.split(': ')
  return { file, name: name.length === 0 ? null : name.join(': ') }
}

/**
 * @param {string} root of the working copy
 * @param {{ file: string, name: string | null }} wanted `name`: a part of the names of the tests; null: all
 * @returns {Promise<{ file: string, name: string | null } | null>} null: all pass; `name` null: the whole file failed
 * @throws Error if there was no such test
 */
export async function firstFailure(root, { file, name }) {
  const report = join(root, 'mutation-report.json')
  rmSync(report, { force: true })
  const options = ['run', '--bail=1', '--reporter=json', `--outputFile=${report}`]
  const only = name === null ? [] : ['-t', name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')]
  const { code, output, isOverdue } = await vitest(root, [...options, ...only, file])
  // A test that hangs has noticed the mutation.
  if (isOverdue) return { file, name: null }
  if (!existsSync(report)) throw new Error(`The tests could not be run:\n${output}`)
  const results = JSON.parse(readFileSync(report, 'utf8')).testResults
  const tests = results.flatMap((result) => result.assertionResults)
  const failed = tests.find((test) => test.status === 'failed')
  if (failed !== undefined) return { file, name: failed.title }
  // The file itself failed, or an error outside any test.
  if (code !== 0) return { file, name: null }
  if (!tests.some((test) => test.status === 'passed'))
    throw new Error(`No test ran in ${file}${name === null ? '' : ` that is named '${name}'`}.`)
  return null
}

function vitest(root, args) {
  return new Promise((resolve) => {
    const child = spawn(ownNode, ['node_modules/vitest/vitest.mjs', ...args], {
      cwd: root,
      // A mutation may be seen by a case that the seed does not draw.
      env: { ...environment, ALL: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A process group, so that everything that the tests started can be killed with them.
      detached: true,
    })
    let output = ''
    const keep = (text) => {
      output = (output + text).slice(-20_000)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    let isOverdue = false
    const overdue = setTimeout(() => {
      isOverdue = true
      void endGroup(child)
    }, minutesAtMost * 60_000)
    running = child
    child.once('close', (code) => {
      clearTimeout(overdue)
      running = null
      // Nothing is started after stopTests.
      if (!isStopping) resolve({ code, output, isOverdue })
    })
  })
}

/** Kills the running tests; their promise never settles. */
export async function stopTests() {
  isStopping = true
  if (running !== null) await endGroup(running)
}

async function endGroup(child) {
  const closed = new Promise((resolve) => child.once('close', resolve))
  signalGroup(child, 'SIGTERM')
  const killing = setTimeout(() => signalGroup(child, 'SIGKILL'), graceMilliseconds)
  await closed
  clearTimeout(killing)
}

function signalGroup({ pid }, signal) {
  try {
    process.kill(-pid, signal)
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}
