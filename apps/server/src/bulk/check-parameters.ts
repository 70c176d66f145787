/** Checks what an action is to be taken with, before anything is started. */
import { fieldError } from '@roomkeeper/contract'
import { dayInUtc } from '@roomkeeper/rules'
import type { Db, Tx } from '#platform/database.ts'
import { refuse, refuseInput } from '#platform/refuse.ts'
import { capacityOf } from '#regions/index.ts'
import type { Action } from './actions.ts'

export interface MoveTarget {
  id: number
  name: string
  products: readonly string[]
  /** Null: unlimited. */
  freeCapacity: number | null
}

/**
 * @returns where to, for a move
 * @throws Refusal `invalid-input`, `region-unknown`, `region-disabled`
 */
export async function checkParameters(db: Db | Tx, { action, parameters }: Action): Promise<MoveTarget | null> {
  if (action === 'extend' && parameters.expirationDate < dayInUtc(new Date()))
    throw refuseInput([fieldError('parameters.expirationDate', 'expires-before-today')])
  if (action !== 'move') return null
  const { targetRegion: id } = parameters
  const row = await db.selectFrom('regions').selectAll().where('id', '=', id).executeTakeFirst()
  if (row === undefined) throw refuse('region-unknown', { region: id })
  if (row.state === 'disabled') throw refuse('region-disabled', { region: row.name })
  const { products, freeCapacity } = capacityOf(row)
  return { id, name: row.name, products, freeCapacity }
}
