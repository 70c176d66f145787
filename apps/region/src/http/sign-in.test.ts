import { expect, test } from 'vitest'
import { createSignIn } from './sign-in.ts'

const settings = { userName: 'superuser', password: 'secret' }

/** A clock that stands still unless the test moves it, and records the pauses. */
function newClock() {
  const pauses: number[] = []
  const clock = {
    at: 1_000_000,
    pauses,
    now: () => clock.at,
    pause: async (milliseconds: number) => void pauses.push(milliseconds),
  }
  return clock
}

test('after ten failures in a minute wrong credentials of that address are refused slowly, and of it alone', async () => {
  const clock = newClock()
  const signIn = createSignIn(settings, clock)
  const fail = (from: string) => signIn.open({ ...settings, password: 'wrong' }, from)
  for (let count = 0; count < 10; count += 1) {
    await expect(fail('a')).rejects.toThrow('Wrong user name or password.')
    clock.at += 1000
  }
  expect(clock.pauses).toEqual([])
  await expect(fail('a')).rejects.toThrow('Too many failed sign-ins')
  expect(clock.pauses).toEqual([100])
  expect((await signIn.open(settings, 'b')).token).toBeTruthy()
  await expect(fail('b')).rejects.toThrow('Wrong user name or password.')
  expect(clock.pauses).toEqual([100])
  clock.at += 60_000
  await expect(fail('a')).rejects.toThrow('Wrong user name or password.')
})

test('right credentials always pass, however many wrong ones wait before them', async () => {
  const clock = newClock()
  const signIn = createSignIn(settings, clock)
  const guesses = Array.from({ length: 1000 }, (_, index) =>
    signIn.open({ ...settings, password: `wrong ${index}` }, 'a').catch((error: Error) => error.message),
  )
  await Promise.all(guesses)
  clock.pauses.length = 0
  clock.at += 20_000
  const waiting = Array.from({ length: 500 }, () => signIn.open({ ...settings, password: 'x' }, 'a').catch(() => null))
  expect((await signIn.open(settings, 'a')).token).toBeTruthy()
  await Promise.all(waiting)
  // The attempts are checked one after another, a tenth of a second apart, and none waits longer than ten seconds.
  expect(clock.pauses.slice(0, 3)).toEqual([100, 200, 300])
  expect(Math.max(...clock.pauses)).toBe(10_000)
})

test('addresses of one IPv6 network count together', async () => {
  const clock = newClock()
  const signIn = createSignIn(settings, clock)
  const fail = (from: string) => signIn.open({ ...settings, password: 'wrong' }, from)
  for (let count = 0; count < 10; count += 1) await expect(fail(`2001:db8:0:1::${count}`)).rejects.toThrow('Wrong')
  await expect(fail('2001:db8:0:1:9::1')).rejects.toThrow('Too many')
  await expect(fail('2001:db8:0:2::1')).rejects.toThrow('Wrong')
  await expect(fail('::1')).rejects.toThrow('Wrong')
})

test('a token lets in until it expires', async () => {
  const clock = newClock()
  const signIn = createSignIn(settings, clock)
  const { token, expiresAt } = await signIn.open(settings, 'a')
  expect(() => signIn.authorise(`Bearer ${token}`)).not.toThrow()
  clock.at = Date.parse(expiresAt)
  expect(() => signIn.authorise(`Bearer ${token}`)).toThrow()
})

test('what is no token lets nobody in', async () => {
  const signIn = createSignIn(settings)
  const { token } = await signIn.open(settings, 'a')
  for (const header of [undefined, '', 'Bearer', 'Bearer ', token, `Basic ${token}`, `Bearer ${token}x`, 'Bearer x'])
    expect(() => signIn.authorise(header), String(header)).toThrow()
})

test('parts of the credentials cannot be moved from the user name to the password', async () => {
  const signIn = createSignIn({ userName: 'ab', password: 'c' })
  await expect(signIn.open({ userName: 'a', password: 'bc' }, 'a')).rejects.toThrow('Wrong')
})
