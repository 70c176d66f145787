/** Tries mutations one after another in a copy of the tree, and reports which of them the tests notice. */
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { environment, ownNode } from '../prepare.mjs'
import { breakFunction } from './break-function.mjs'
import { makeWorkingCopy } from './working-copy.mjs'

/**
 * @typedef {object} Mutation
 * @property {string} id
 * @property {string} breaks in one sentence: what a user or operator would suffer
 * @property {string} file
 * @property {readonly string[]} tests that should notice, the quickest first: `<file>`, or `<file>: <part of a name>`
 */

/**
 * Removes the copy at the end, also on Ctrl-C. The exit code is 1 if a mutation survived.
 * @param {readonly Mutation[]} mutations
 */
export async function tryAll(mutations) {
  const copy = makeWorkingCopy()
  const runner = createRunner(copy.path)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, async () => {
      await runner.stop()
      copy.remove()
      process.exit(130)
    })
  }
  const startedAt = Date.now()
  const width = Math.max(...mutations.map(({ id }) => id.length))
  const count = { killed: 0, survived: 0, unclear: 0 }
  try {
    for (const mutation of mutations) {
      const began = Date.now()
      const { result, test } = await tryMutation(mutation)
      count[result] += 1
      const printed = {
        killed: `killed    ${test}`,
        survived: `SURVIVED  ${mutation.breaks}`,
        unclear: `UNCLEAR   fails without the mutation, too: ${test}`,
      }
      const seconds = String(Math.round((Date.now() - began) / 1000))
      console.log(`${mutation.id.padEnd(width)}  ${seconds.padStart(4)} s  ${printed[result]}`)
    }
  } finally {
    copy.remove()
  }
  const minutes = Math.round((Date.now() - startedAt) / 6000) / 10
  const unclear = count.unclear > 0 ? `, ${count.unclear} unclear` : ''
  console.log(`\n${count.killed} killed, ${count.survived} survived${unclear}, in ${minutes} minutes`)
  if (count.killed < mutations.length) process.exitCode = 1

  /** A test that fails without the mutation, too, proves nothing. */
  async function tryMutation(mutation) {
    const path = join(copy.path, mutation.file)
    const original = readFileSync(path, 'utf8')
    for (const test of mutation.tests) {
      writeFileSync(path, breakFunction(mutation, original))
      const isNoticed = !(await runner.passes(test).finally(() => writeFileSync(path, original)))
      if (isNoticed) return { result: (await runner.passesUnchanged(test)) ? 'killed' : 'unclear', test }
    }
    return { result: 'survived', test: null }
  }
}

function createRunner(root) {
  const unchanged = new Map()
  let running = null

  /** A test that hangs has noticed the mutation. `timeout` ends what the tests started with them. */
  function passes(test) {
    const [file, ...name] = test.split(': ')
    const only = name.length === 0 ? [] : ['-t', RegExp.escape(name.join(': '))]
    const vitest = [ownNode, 'node_modules/vitest/vitest.mjs', 'run', '--bail=1', '--reporter=dot', ...only, file]
    return new Promise((resolve, reject) => {
      running = spawn('timeout', ['--kill-after=15s', '10m', ...vitest], {
        cwd: root,
        // A mutation may be seen by a case that the seed does not draw.
        env: { ...environment, ALL: '1' },
        stdio: 'ignore',
      })
      running.once('error', reject)
      running.once('close', (code) => {
        running = null
        resolve(code === 0)
      })
    })
  }

  return {
    passes,
    async passesUnchanged(test) {
      if (!unchanged.has(test)) unchanged.set(test, await passes(test))
      return unchanged.get(test)
    },
    async stop() {
      if (running === null) return
      const ended = new Promise((resolve) => running.once('close', resolve))
      running.kill('SIGTERM')
      await ended
    },
  }
}
