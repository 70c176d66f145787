/** The accounts of operators. */
import { z } from 'zod'
import { coded } from './field-errors.ts'
import { inNfc, refuseUnlessKey, refuseUnlessName } from './plain-text.ts'
import { emailPattern } from './room-fields.ts'
import type { Route } from './route.ts'
import { fieldsOf, ignoring } from './unknown-fields.ts'
import { roleCode } from './wire-codecs.ts'

export const newPassword = z
  .string({ error: coded('new-password-missing') })
  .min(8, coded('password-too-short', { min: 8 }))
  .max(64, coded('password-too-long', { max: 64 }))

/** What the audit trail adds to the e-mail address of an operator who acts with an API token. */
const namesToken = / \(token /

const change = z.object({
  email: z
    .string()
    .overwrite(inNfc)
    .trim()
    .max(320)
    .regex(emailPattern, coded('email-invalid'))
    .superRefine(refuseUnlessKey)
    .refine((email) => !namesToken.test(email), coded('email-invalid')),
  name: z.string().overwrite(inNfc).trim().min(1, coded('name-missing')).max(200).superRefine(refuseUnlessName),
  role: roleCode,
  /** Absent: the password stays as it is. */
  password: newPassword.optional(),
})
export const operatorAccount = z.object({
  id: z.uuid(),
  email: z.string(),
  name: z.string(),
  role: roleCode,
  /** Since a dump of the database was restored; null: the account may be used. */
  lockedAt: z.iso.datetime().nullable(),
})
export const operatorChange = ignoring(change, fieldsOf(operatorAccount))
export const operatorDraft = change.extend({ password: newPassword })
export type OperatorAccount = z.output<typeof operatorAccount>
const operatorId = z.object({ id: z.uuid(coded('operator-id-invalid')) })

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
    sessionOnly: true,
    summary: 'Adds an operator account.',
    body: operatorDraft,
    refuses: ['email-taken', 'too-many-calls'],
    answers: { 200: operatorAccount },
  },
  changeOperator: {
    method: 'PUT',
    path: '/api/operator/operators/:id',
    access: 'super',
    sessionOnly: true,
    summary: 'Changes an operator account; a new password or role ends its sessions.',
    params: operatorId,
    body: operatorChange,
    refuses: ['operator-unknown', 'email-taken', 'own-account', 'last-administrator', 'too-many-calls'],
    answers: { 200: operatorAccount },
  },
  confirmOperator: {
    method: 'POST',
    path: '/api/operator/operators/:id/confirm',
    access: 'super',
    sessionOnly: true,
    summary: 'Lets an account sign in again that is locked since a dump of the database was restored.',
    params: operatorId,
    refuses: ['operator-unknown'],
    answers: { 200: operatorAccount },
  },
  deleteOperator: {
    method: 'DELETE',
    path: '/api/operator/operators/:id',
    access: 'super',
    sessionOnly: true,
    summary: 'Removes an operator account and ends its sessions.',
    params: operatorId,
    refuses: ['operator-unknown', 'own-account', 'last-administrator'],
    answers: { 204: true },
  },
} as const satisfies Record<string, Route>
