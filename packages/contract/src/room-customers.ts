/** Customers: the companies of project rooms, and which spellings of a company are one customer. */
import { z } from 'zod'
import { coded } from './field-errors.ts'
import { paged, pageOf } from './lists.ts'
import { searched } from './plain-text.ts'
import { text, wireDate } from './room-fields.ts'
import { licenceTotals, longestSearch } from './rooms.ts'
import type { Route } from './route.ts'
import { customerOrders, type ProjectRoomState, projectRoomStates } from './wire-codes.ts'

export const customer = z.object({
  /** The company's name in small letters, with single spaces: the filter `customer` of the list takes it. */
  key: z.string(),
  /** As it was last written. */
  name: z.string(),
  rooms: z.int(),
  /** What was sold. */
  licences: licenceTotals,
  /** The next last day of a project room; the latest one if all of them have passed; null: there is none. */
  nextExpiry: wireDate.nullable(),
  /** How many project rooms are shown in which state. */
  states: z.object(
    Object.fromEntries(projectRoomStates.map((state) => [state, z.int()])) as Record<ProjectRoomState, z.ZodInt>,
  ),
})
export type Customer = z.output<typeof customer>

export const contactRoles = ['owner', 'delegate', 'sales'] as const

export const customerDetail = customer.extend({
  /** The people of its project rooms, those of most first; at most 100. */
  contacts: z.array(
    z.object({
      role: z.enum(contactRoles),
      /** Null: it is not known. */
      name: z.string().nullable(),
      email: z.string(),
      rooms: z.int(),
    }),
  ),
  /** The other spellings that were merged with it. */
  aliases: z.array(z.object({ name: z.string(), rooms: z.int() })),
})
export type CustomerDetail = z.output<typeof customerDetail>

const company = text('company-name-missing')
/** Null: it is a customer of its own again. */
export const customerAlias = z.object({ name: company, isNamed: company.nullable() })

export const roomCustomerRoutes = {
  customers: {
    method: 'GET',
    path: '/api/operator/customers',
    access: 'all',
    summary: 'A page of the customers: the companies of project rooms, whose spellings may be merged.',
    query: z.object({
      ...paged(),
      /** Every word must occur in the name or in a merged spelling, regardless of case. */
      search: searched.max(longestSearch, coded('at-most-characters', { max: longestSearch })).default(''),
      order_by: z.enum(customerOrders).default('name'),
      order_dir: z.enum(['asc', 'desc'], { error: coded('must-be-direction') }).default('asc'),
    }),
    answers: { 200: pageOf(customer) },
  },
  customer: {
    method: 'GET',
    path: '/api/operator/customers/:key',
    access: 'all',
    summary: 'A customer, by the key or any spelling. Its project rooms are listed by the filter `customer`.',
    params: z.object({ key: z.string().max(1000) }),
    refuses: ['customer-unknown'],
    answers: { 200: customerDetail },
  },
  mergeCustomers: {
    method: 'POST',
    path: '/api/operator/customers/aliases',
    access: 'admin',
    summary: 'Says that a company is another spelling of a customer, or, with null, that it is none.',
    body: customerAlias,
    refuses: ['customer-unknown', 'customer-same', 'customer-not-merged'],
    answers: { 200: customerDetail },
  },
} as const satisfies Record<string, Route>
