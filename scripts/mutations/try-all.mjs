/** Tries mutations one after another in a copy of the tree, and reports which of them the tests notice. */
import { stopTests } from './run-tests.mjs'
import { createTrial } from './trial.mjs'
import { makeWorkingCopy } from './working-copy.mjs'

/**
 * Removes the copy at the end, also on Ctrl-C. The exit code is 1 if a mutation survived.
 * @param {readonly import('./trial.mjs').Mutation[]} mutations
 */
export async function tryAll(mutations) {
  const copy = makeWorkingCopy()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, async () => {
      await stopTests()
      copy.remove()
      process.exit(130)
    })
  }
  try {
    const trial = createTrial(copy)
    const startedAt = Date.now()
    const width = Math.max(...mutations.map(({ id }) => id.length))
    const count = { killed: 0, survived: 0, unclear: 0 }
    for (const mutation of mutations) {
      const { result, test, seconds } = await trial(mutation)
      count[result] += 1
      const printed = {
        killed: `killed    ${test}`,
        survived: `SURVIVED  ${mutation.breaks}`,
        unclear: `UNCLEAR   fails without the mutation, too: ${test}`,
      }
      console.log(`${mutation.id.padEnd(width)}  ${String(Math.round(seconds)).padStart(4)} s  ${printed[result]}`)
    }
    const minutes = Math.round((Date.now() - startedAt) / 6000) / 10
    const unclear = count.unclear > 0 ? `, ${count.unclear} unclear` : ''
    console.log(`\n${count.killed} killed, ${count.survived} survived${unclear}, in ${minutes} minutes`)
    if (count.killed < mutations.length) process.exitCode = 1
  } finally {
    copy.remove()
  }
}
