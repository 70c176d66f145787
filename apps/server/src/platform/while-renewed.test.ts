import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { whileRenewed } from './while-renewed.ts'

test('a renewal begins only when the one before has ended, and none is under way when the work has returned', async () => {
  let [underWay, most, sent] = [0, 0, 0]
  const renew = async () => {
    sent += 1
    underWay += 1
    most = Math.max(most, underWay)
    // As slow as several rounds; the first one fails.
    await setTimeout(60)
    underWay -= 1
    if (sent === 1) throw new Error('The region did not answer.')
  }
  const work = async () => {
    while (sent < 3) await setTimeout(5)
    expect(underWay).toBe(1)
    return 'done'
  }
  expect(await whileRenewed(renew, 10, work)).toBe('done')
  expect({ underWay, most, sent }).toEqual({ underWay: 0, most: 1, sent: 3 })
})
