/** What a region says that it can. What each capability promises, the checks of that capability find out. */
import { z } from 'zod'
import { requireForm } from '../../client/require-form.ts'
import { protocolVersion } from '../../schemas.ts'
import { type Check, expectEqual, expectThat } from '../check.ts'
import { elsewhere } from '../region-under-test.ts'

export const capabilityChecks: Check[] = [
  {
    name: 'a status that tells the version of the protocol tells this one, and capabilities as a list of names',
    page: 'README.md#what-a-region-may-lack',
    run: async ({ raw }) => {
      const { json } = await raw('GET', '/status')
      const told = requireForm(toldOfProtocol, json, 'answer to GET status')
      expectEqual(told.protocolVersion ?? protocolVersion, protocolVersion, 'protocolVersion')
      const names = told.capabilities ?? []
      expectEqual(names.length, new Set(names).size, 'the number of different capabilities')
    },
  },
  {
    name: 'redirects are listed by name, page by page',
    page: 'calls.md#get-routes',
    needs: ['routes'],
    run: async ({ client, newName }) => {
      const names = [newName(), newName(), newName()].toSorted()
      for (const name of names) await client.putRoute(name, elsewhere)
      const found: string[] = []
      let after: string | null = (names[0] ?? '').slice(0, -1)
      while (after !== null && !names.every((name) => found.includes(name))) {
        const page = await client.routes(after, 2)
        expectThat(page !== null && page.routes.length <= 2, 'at most 2 redirects', page)
        found.push(...(page?.routes ?? []).map(({ name }) => name))
        after = page?.next ?? null
      }
      expectEqual(
        found.filter((name) => names.includes(name)),
        names,
        'the redirects that were made',
      )
    },
  },
]

const toldOfProtocol = z.object({
  protocolVersion: z.int().optional(),
  capabilities: z.array(z.string()).optional(),
})
