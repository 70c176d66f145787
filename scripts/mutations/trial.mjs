/** Tries one mutation after another in the working copy. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { breakFunction } from './break-function.mjs'
import { firstFailure, readTest } from './run-tests.mjs'

/**
 * @typedef {object} Mutation
 * @property {string} id
 * @property {string} breaks in one sentence: what a user or operator would suffer
 * @property {string} file
 * @property {readonly string[]} tests that should notice, the quickest first: `<file>`, or `<file>: <part of a name>`
 *
 * @returns a function that applies a mutation, runs its tests until one fails, and reverts the mutation. Its result:
 * `test` is the test that failed; `unclear` if that test fails without the mutation, too.
 */
export function createTrial(copy) {
  const passing = new Map()

  /** A test that fails without the mutation too proves nothing. */
  const passesUnchanged = async (failure) => {
    const key = nameOf(failure)
    if (!passing.has(key)) passing.set(key, (await firstFailure(copy.path, failure)) === null)
    return passing.get(key)
  }

  return async function tryMutation(mutation) {
    const startedAt = Date.now()
    const path = join(copy.path, mutation.file)
    const original = readFileSync(path, 'utf8')
    const end = (result) => ({ ...result, seconds: (Date.now() - startedAt) / 1000 })
    for (const test of mutation.tests) {
      writeFileSync(path, breakFunction(mutation, original))
      const failure = await firstFailure(copy.path, readTest(test)).finally(() => writeFileSync(path, original))
      if (failure === null) continue
      const isSound = await passesUnchanged(failure)
      return end({ result: isSound ? 'killed' : 'unclear', test: nameOf(failure) })
    }
    return end({ result: 'survived', test: null })
  }
}

function nameOf({ file, name }) {
  return name === null ? file : `${file}: ${name}`
}
