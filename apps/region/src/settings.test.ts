import { expect, test } from 'vitest'
import { readSettings } from './settings.ts'

const least = { REGION_PASSWORD: 'a', REGION_SYSTEM_PASSWORD: 'b' }

// shows: stored-settings
test('only the passwords must be set', () => {
  expect(readSettings(least)).toMatchObject({
    port: 9001,
    host: '127.0.0.1',
    userName: 'superuser',
    products: ['ARIS', 'MINING', 'ENTERPRISE'],
    consoleUrl: null,
    checkSeconds: 60,
    requestTimeoutSeconds: 30,
    faults: false,
  })
})

// shows: stored-settings
test('a wrong or missing value names its variable', () => {
  const wrong: [string, string | undefined][] = [
    ['REGION_PASSWORD', undefined],
    ['REGION_SYSTEM_PASSWORD', ''],
    ['REGION_PORT', '65536'],
    ['REGION_PORT', '-1'],
    ['REGION_PORT', 'http'],
    ['REGION_PRODUCTS', 'ARIS,LARIS'],
    ['REGION_PRODUCTS', ','],
    ['REGION_CONSOLE_URL', 'console'],
    ['REGION_FAULTS', 'yes'],
  ]
  for (const [name, value] of wrong)
    expect(() => readSettings({ ...least, [name]: value }), `${name}=${value}`).toThrow(new RegExp(`^${name} must`))
})

test('the passwords of the examples are refused, and not repeated', () => {
  for (const name of ['REGION_PASSWORD', 'REGION_SYSTEM_PASSWORD'])
    expect(() => readSettings({ ...least, [name]: 'change-me-too' }), name).toThrow(
      new RegExp(`^${name} must be your own, not the one of the example.$`),
    )
})

test('products may be chosen, in any case and order', () => {
  expect(readSettings({ ...least, REGION_PRODUCTS: 'mining, ARIS' }).products).toEqual(['ARIS', 'MINING'])
})
