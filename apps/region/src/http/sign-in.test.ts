import { expect, test } from 'vitest'
import { createSignIn } from './sign-in.ts'

const settings = { userName: 'superuser', password: 'secret' }

test('ten failures in a minute keep an address out, and it alone, until the minute is over', () => {
  let now = 1_000_000
  const signIn = createSignIn(settings, () => now)
  const fail = (from: string) => () => signIn.open({ ...settings, password: 'wrong' }, from)
  for (let count = 0; count < 10; count += 1) {
    expect(fail('a')).toThrow('Wrong user name or password.')
    now += 1000
  }
  expect(fail('a')).toThrow('Too many failed sign-ins')
  expect(() => signIn.open(settings, 'a')).toThrow('Too many failed sign-ins')
  expect(signIn.open(settings, 'b').token).toBeTruthy()
  now += 60_000
  expect(signIn.open(settings, 'a').token).toBeTruthy()
})

test('a token lets in until it expires', () => {
  let now = 1_000_000
  const signIn = createSignIn(settings, () => now)
  const { token, expiresAt } = signIn.open(settings, 'a')
  expect(() => signIn.authorise(`Bearer ${token}`)).not.toThrow()
  now = Date.parse(expiresAt)
  expect(() => signIn.authorise(`Bearer ${token}`)).toThrow()
})

test('what is no token lets nobody in', () => {
  const signIn = createSignIn(settings)
  const { token } = signIn.open(settings, 'a')
  for (const header of [undefined, '', 'Bearer', 'Bearer ', token, `Basic ${token}`, `Bearer ${token}x`, 'Bearer x'])
    expect(() => signIn.authorise(header), String(header)).toThrow()
})

test('parts of the credentials cannot be moved from the user name to the password', () => {
  const signIn = createSignIn({ userName: 'ab', password: 'c' })
  expect(() => signIn.open({ userName: 'a', password: 'bc' }, 'a')).toThrow()
})
