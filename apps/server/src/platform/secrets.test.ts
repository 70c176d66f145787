import { inspect } from 'node:util'
import pino from 'pino'
import { describe, expect, it } from 'vitest'
import { createSecretBox, Secret } from './secrets.ts'

const words = 'correct horse battery staple'
const secret = () => new Secret(words)

describe('a secret', () => {
  it.each([
    ['in a text', (): string => `password: ${secret()}`],
    ['as JSON', (): string => JSON.stringify({ body: { password: secret() } })],
    ['by inspection, however deep', (): string => inspect({ password: secret() }, { depth: 9, showHidden: true })],
    ['in an error', (): string => new Error(`refused: ${secret()}`, { cause: secret() }).stack ?? ''],
    ['in a line of the log', (): string => logged({ password: secret() })],
    [
      'among the causes of a logged error',
      (): string => logged({ err: Object.assign(new Error('no'), { secret: secret() }) }),
    ],
    ['when its fields are copied', (): string => JSON.stringify({ ...secret() })],
  ])('cannot be read %s', (_, print) => {
    expect(print()).not.toContain(words)
  })

  it('that is sealed is opened by its own key alone, and not when a single character of it was changed', () => {
    const box = createSecretBox(new Secret('the key of this console'))
    const sealed = box.seal(secret())
    expect(sealed).not.toContain(words)
    expect(box.open(sealed).reveal()).toBe(words)
    expect(() => createSecretBox(new Secret('the key of another one')).open(sealed)).toThrow('cannot be opened')
    const begin = sealed.lastIndexOf('.') + 1
    const changed = sealed.slice(0, begin) + (sealed[begin] === 'A' ? 'B' : 'A') + sealed.slice(begin + 1)
    expect(() => box.open(changed)).toThrow('cannot be opened')
  })

  it('is never sealed twice to the same text', () => {
    const box = createSecretBox(new Secret('the key of this console'))
    expect(box.seal(secret())).not.toBe(box.seal(secret()))
  })
})

function logged(fields: object): string {
  const lines: string[] = []
  pino({}, { write: (line) => lines.push(line) }).info(fields, 'a line')
  expect(lines).toHaveLength(1)
  return lines.join('')
}
