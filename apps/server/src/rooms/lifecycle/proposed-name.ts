import type { ProjectRoom } from '@roomkeeper/contract'
import { type Db, queryRows } from '#platform/database.ts'

/** 24 characters less seven digits. */
const longestStem = 17

/** @returns a valid name for a further room of the same company, which no room has now */
export async function proposedName(db: Db, room: Pick<ProjectRoom, 'companyName' | 'tenantName'>): Promise<string> {
  const stem = stemOf(room.companyName) ?? stemOf(room.tenantName.replace(/\d+$/, '')) ?? 'room'
  const names = [stem, ...numbers.map((number) => `${stem}${number}`)]
  const found = await queryRows<{ name: string }>(db, 'select name from rooms where name = any($1)', [names])
  const taken = new Set(found.map(({ name }) => name))
  return names.find((name) => !taken.has(name)) ?? stem
}

/** Where the first hundred are taken, they grow fast, so that one query finds a free one among a million rooms. */
const numbers = [
  ...Array.from({ length: 98 }, (_, index) => index + 2),
  ...Array.from({ length: 17 }, (_, index) => 100 * 2 ** index),
]

const spelledOut: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' }

/** `Big Customer 1` → `bigcustomer1`. Null if too little is left that a name may have. */
function stemOf(text: string): string | null {
  const letters = text
    .toLowerCase()
    .replace(/[äöüß]/g, (letter) => spelledOut[letter] ?? '')
    .normalize('NFKD')
    .replace(/[^a-z0-9]/g, '')
    .replace(/^\d+/, '')
    .slice(0, longestStem)
  return letters.length < 3 ? null : letters
}
