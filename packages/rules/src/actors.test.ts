import { describe, expect, test } from 'vitest'
import { actorOf, isActorOf, operatorOf, tokenNameOf } from './actors.ts'

describe('an actor', () => {
  test('is the operator, with the name of the API token if there is one', () => {
    expect(actorOf('ada@example.com', null)).toBe('ada@example.com')
    expect(actorOf('ada@example.com', 'Nightly export')).toBe('ada@example.com (token Nightly export)')
  })

  test.each([null, 'Nightly export', 'a (token) of mine'])(
    'is its operator with the token %j, and nobody else',
    (name) => {
      const actor = actorOf('ada@example.com', name)
      expect(isActorOf(actor, 'ada@example.com')).toBe(true)
      for (const other of ['a@example.com', 'ada@example.co', 'ada@example.com.example', 'system'])
        expect(isActorOf(actor, other)).toBe(false)
      expect(operatorOf(actor)).toBe('ada@example.com')
      expect(tokenNameOf(actor)).toBe(name)
    },
  )
})
