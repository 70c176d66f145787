/** Lists in query strings are joined by commas. Commas and percent signs in the items are percent-encoded first. */
import { bootNetwork, type Network, roomDraft } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let network: Network
beforeAll(async () => {
  network = await bootNetwork()
  const companies = { comma: 'Sun, Moon', percent: 'Sun 100% Moon', encoded: 'Sun%2C Moon', plain: 'Sun Moon' }
  for (const [tenantName, companyName] of Object.entries(companies))
    await network.admin.call('createRoom', { body: roomDraft({ tenantName, companyName }) })
  await network.settle()
})
afterAll(() => network?.stop())

describe.each([
  ['get_tenants', 'POST', namesInList],
  ['export_tenants', 'GET', namesInExport],
] as const)('%s', (call, method, namesIn) => {
  /** Sends the query as it stands in the URL, where the list is encoded like any other value. */
  const ask = (query: string) =>
    fetch(`${network.server.address}/api/operator/${call}?${query}`, {
      method,
      headers: { authorization: `Bearer ${network.admin.token}` },
    })

  // shows: wire-percent-lists
  it.each([
    ['a comma', 'companyName', 'Sun%252C%20Moon', ['comma']],
    ['a percent sign', 'companyName', '100%2525', ['percent']],
    ['what looks as if it were encoded', 'companyName', 'Sun%25252C', ['encoded']],
    ['neither', 'companyName', 'Sun%20M', ['plain']],
    ['a comma, beside another element', 'companyName,tenantName', 'Sun%252C%20Moon,plain', ['comma', 'plain']],
    [
      'a comma that was encoded as a part of the address only is two',
      'companyName,tenantName',
      'Sun%2C%20Moon',
      ['comma', 'encoded', 'percent', 'plain'],
    ],
  ])('searches for an element with %s', async (_, keys, values, found) => {
    const answer = await ask(`search_keys=${keys}&search_values=${values}`)
    expect(answer.status).toBe(200)
    expect(await namesIn(answer)).toEqual(found)
  })

  // shows: wire-percent-lists
  it.each([
    ['EQUALS', 'Sun%252C%20Moon', ['comma']],
    ['EQUALS', 'Sun%25252C%20Moon', ['encoded']],
    ['ENDS_WITH', '%252C%20Moon', ['comma']],
    ['CONTAINS', '%2525', ['encoded', 'percent']],
    ['EQUALS', 'Sun%252C%20Moon||Sun%20100%2525%20Moon', ['comma', 'percent']],
  ])('filters by an element with a comma or a percent sign: %s %s', async (condition, value, found) => {
    const answer = await ask(
      `filter_keys=companyName,region&filter_values=${value},1&filter_conditions=${condition},EQUALS`,
    )
    expect(answer.status).toBe(200)
    expect(await namesIn(answer)).toEqual(found)
  })

  // shows: wire-lists
  it.each([
    'search_keys=companyName&search_values=Sun%2C%20Moon',
    'search_keys=companyName,tenantName&search_values=Sun%252C%20Moon',
    'filter_keys=companyName&filter_values=Sun%2C%20Moon&filter_conditions=EQUALS',
    'filter_keys=companyName&filter_values=Sun%252C%20Moon&filter_conditions=EQUALS,EQUALS',
    'search_keys=companyName&search_values=100%25',
    'search_keys=companyName&search_values=100%25zz',
  ])('refuses lists of different lengths, and a percent sign that encodes nothing: %s', async (query) => {
    const answer = await ask(query)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ status: 400 })
  })
})

async function namesInList(answer: Response): Promise<string[]> {
  const { data } = (await answer.json()) as { data: { tenantName: string }[] }
  return data.map(({ tenantName }) => tenantName).sort()
}

/** Identifies the rows by these names, which occur in no other cell. */
async function namesInExport(answer: Response): Promise<string[]> {
  const rows = (await answer.text()).trim().split('\r\n').slice(1)
  return ['comma', 'encoded', 'percent', 'plain'].filter((name) =>
    rows.some((row) => row.split(',').includes(`"${name}"`)),
  )
}
