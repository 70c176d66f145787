// @vitest-environment jsdom
/** The second factor as far as the console goes by itself; what the identity provider does is in the browser tests. */
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { sessionOf } from '#testing/answers.ts'
import { address, expectToast, open, user } from '#testing/console.tsx'
import { namesOfCalls, ok, refused, reply } from '#testing/server.ts'

const path = '/project/mfa_okta'
const issuer = 'https://provider.example.com'
const kept = 'roomkeeper.second-factor'
const flow = () => JSON.parse(sessionStorage.getItem(kept) ?? 'null')
const findProblem = (text: string) => screen.findByText(text, { exact: false, selector: '[role=alert]' })
const server = fetch
let isDown = false

beforeEach(() => {
  isDown = false
  // The simulated browser does not tell how the page was opened.
  vi.stubGlobal('PerformanceNavigationTiming', class {})
  performance.getEntriesByType = () => []
  vi.stubGlobal('fetch', async (input: string | URL, init?: RequestInit) => {
    if (!String(input).startsWith(issuer)) return server(input, init)
    const found = { issuer, authorization_endpoint: `${issuer}/auth` }
    return isDown ? new Response(null, { status: 503 }) : Response.json(found)
  })
  reply({
    checkSession: () => ok({ ...sessionOf('CLOUD_OPERATOR'), secondFactor: true }),
    oktaConfig: () => ok({ issuer, clientId: 'console', on: true }),
  })
})

/** Opens the page until the browser would go to the provider. */
async function leaveForProvider(): Promise<void> {
  open(path)
  await waitFor(() => expect(flow()).not.toBeNull())
}

test('a session that waits may see nothing else', async () => {
  open('/project/statistics')
  await waitFor(() => expect(address()).toBe(path))
  await waitFor(() => expect(flow()).toMatchObject({ clientId: 'console', returnTo: '/project/statistics' }))
  expect(namesOfCalls()).not.toContain('roomStatistics')
})

test('a provider that is down is told, and tried again', async () => {
  isDown = true
  open(path)
  expect(await findProblem('The identity provider cannot be reached.')).toBeVisible()
  expect(flow()).toBeNull()
  isDown = false
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(flow()).not.toBeNull())
})

// shows: mfa-leave
test('leaving the screen inside the console signs out', async () => {
  isDown = true
  history.pushState(null, '', '/project/operator')
  history.pushState(null, '', path)
  open(path)
  await screen.findByRole('alert')
  history.back()
  await waitFor(() => expect(address()).toBe('/project/operator'))
  expect(await screen.findByRole('button', { name: 'Log in' })).toBeVisible()
  await expectToast('Logged Out', 'See you soon')
  expect(document.cookie).not.toContain('OperatorData')
  expect(namesOfCalls()).toContain('signOut')
})

test('refusing at the provider is told, and can be tried again', async () => {
  await leaveForProvider()
  const before = flow().state
  open(`${path}?error=access_denied&state=${before}`)
  expect(await findProblem('did not confirm that it is you')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(flow().state).not.toBe(before))
})

test('an answer that this sign-in did not ask for is not taken to the server', async () => {
  await leaveForProvider()
  open(`${path}?code=stolen&state=of-another-sign-in`)
  expect(await findProblem('does not belong to your sign-in')).toBeVisible()
  expect(namesOfCalls()).not.toContain('completeSecondFactor')
  expect(address()).toBe(path)
})

test('somebody else at the provider is refused in words, and can try again', async () => {
  reply({
    completeSecondFactor: () => refused('second-factor-refused', { reason: 'it belongs to another e-mail address.' }),
  })
  await leaveForProvider()
  const before = flow().state
  open(`${path}?code=code&state=${before}`)
  expect(await findProblem('it belongs to another e-mail address')).toBeVisible()
  expect(address()).toBe(path)
  expect(screen.getByRole('button', { name: 'Use another account' })).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(flow().state).not.toBe(before))
})
