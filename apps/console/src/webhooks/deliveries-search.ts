/** The state of the screen of deliveries in the URL. */
import type { DeliveryState } from '@roomkeeper/contract'
import { nameIn, page, pageSize, readSearch, type SearchOf } from '#ui/url-search.ts'

/** Written out because URLs are read before the contract is loaded. */
const states: Record<DeliveryState, true> = { waiting: true, delivered: true, ended: true }

/** If `state` is absent: all deliveries. */
const parameters = { page, size: pageSize, state: nameIn(states) }
export type DeliveriesSearch = SearchOf<typeof parameters>

export const parseDeliveriesSearch = (given: Record<string, unknown>): DeliveriesSearch => readSearch(parameters, given)
