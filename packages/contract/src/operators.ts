/** The accounts of operators. */
import { z } from 'zod'
import type { Route } from './route.ts'
import { roleCode } from './wire-codes.ts'

export const newPassword = z
  .string({ error: 'Please enter a password.' })
  .min(8, 'The password needs at least 8 characters.')
  .max(64, 'The password can have at most 64 characters.')

export const operatorChange = z.object({
  email: z
    .string()
    .trim()
    .max(320)
    .regex(/^(.+)@(.+)$/, 'Please enter a valid e-mail address.'),
  name: z.string().trim().min(1, 'Please enter the name.').max(200),
  role: roleCode,
  /** Absent: stays as it is. */
  password: newPassword.optional(),
})
export const operatorDraft = operatorChange.extend({ password: newPassword })
export const operatorAccount = z.object({ id: z.uuid(), email: z.string(), name: z.string(), role: roleCode })
export type OperatorAccount = z.output<typeof operatorAccount>
const operatorId = z.object({ id: z.uuid('This is not the id of an operator.') })

export const operatorRoutes = {
  operators: {
    method: 'GET',
    path: '/api/operator/operators',
    access: 'super',
    summary: 'All operator accounts by e-mail, without secrets.',
    answers: { 200: z.array(operatorAccount) },
  },
  createOperator: {
    method: 'POST',
    path: '/api/operator/operators',
    access: 'super',
    summary: 'Adds an operator account.',
    body: operatorDraft,
    refuses: ['email-taken', 'too-many-calls'],
    answers: { 200: operatorAccount },
  },
  changeOperator: {
    method: 'PUT',
    path: '/api/operator/operators/:id',
    access: 'super',
    summary: 'Changes an operator account; a new password or role ends its sessions.',
    params: operatorId,
    body: operatorChange,
    refuses: ['operator-unknown', 'email-taken', 'own-account', 'last-administrator', 'too-many-calls'],
    answers: { 200: operatorAccount },
  },
  deleteOperator: {
    method: 'DELETE',
    path: '/api/operator/operators/:id',
    access: 'super',
    summary: 'Removes an operator account and ends its sessions.',
    params: operatorId,
    refuses: ['operator-unknown', 'own-account', 'last-administrator'],
    answers: { 204: true },
  },
} as const satisfies Record<string, Route>
