import { expect, test } from 'vitest'
import { orRefuse } from './check-database.ts'

/** As node:sqlite throws it. */
function sqliteError(errcode: number): Error {
  return Object.assign(new Error('x'), { code: 'ERR_SQLITE_ERROR', errcode })
}

function outcomeOf(error: unknown): unknown {
  try {
    return orRefuse('it does not hold a database.', () => {
      throw error
    })
  } catch (thrown) {
    return thrown
  }
}

test('what SQLite says of a file is a refusal of its content, except where memory or the disk is to blame', () => {
  expect(outcomeOf(sqliteError(11))).toMatchObject({ code: 'wrong-content' })
  expect(outcomeOf(new Error('x'))).toMatchObject({ code: 'wrong-content' })
  expect(outcomeOf(sqliteError(7))).toMatchObject({ code: 'takes-too-much' })
  const ofDisk = sqliteError(10 | (3 << 8))
  expect(outcomeOf(ofDisk)).toBe(ofDisk)
})
