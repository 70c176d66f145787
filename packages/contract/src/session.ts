/** Operators: signing in and out, and what a session may do. */
import { z } from 'zod'
import type { Route } from './route.ts'
import { roleCode } from './wire-codes.ts'

export const credentials = z.object({
  email: z
    .string({ error: 'Please enter the e-mail address.' })
    .trim()
    .min(1, 'Please enter the e-mail address.')
    .max(320),
  password: z.string({ error: 'Please enter the password.' }).min(1, 'Please enter the password.').max(1024),
})
export type Credentials = z.output<typeof credentials>

/** The signed-in operator. `secondFactor` true: the session still waits for its second factor. */
export const operatorSession = z.object({
  email: z.string(),
  name: z.string(),
  role: roleCode,
  secondFactor: z.boolean(),
})
export type OperatorSession = z.output<typeof operatorSession>

/** `token` is the secret of the session, sent in the `Authorization` header from then on. */
export const signedIn = operatorSession.extend({ token: z.string() })
export type SignedIn = z.output<typeof signedIn>

/** The identity provider for the second factor; `on` false: there is none. */
export const oktaConfig = z.object({ issuer: z.string(), clientId: z.string(), on: z.boolean() })

const newPassword = z
  .string({ error: 'Please enter a password.' })
  .min(8, 'The password needs at least 8 characters.')
  .max(64, 'The password can have at most 64 characters.')

/** What the console's second-factor screen brings back from the identity provider (code flow with PKCE). */
export const secondFactor = z.object({
  code: z.string().min(1).max(4096),
  codeVerifier: z.string().min(43).max(128),
  nonce: z.string().min(16).max(200),
  redirectUri: z.url().max(2048),
})
export type SecondFactor = z.output<typeof secondFactor>

export const passwordChange = z
  .object({
    oldPassword: z.string({ error: 'Please enter the password.' }).min(1, 'Please enter the password.').max(1024),
    newPassword,
    newPasswordReentered: newPassword,
  })
  .refine((change) => change.newPassword === change.newPasswordReentered, {
    path: ['newPasswordReentered'],
    message: 'The two new passwords differ.',
  })
export type PasswordChange = z.output<typeof passwordChange>

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

export const sessionRoutes = {
  signIn: {
    method: 'POST',
    path: '/api/operator/session',
    access: 'public',
    summary: 'Signs an operator in.',
    body: credentials,
    answers: { 200: signedIn },
  },
  checkSession: {
    method: 'PUT',
    path: '/api/operator/session',
    access: 'all',
    beforeSecondFactor: true,
    summary: 'Tells who is signed in; 401 when the session is over.',
    answers: { 200: operatorSession },
  },
  permissions: {
    method: 'POST',
    path: '/api/operator/permissions',
    access: 'all',
    beforeSecondFactor: true,
    summary: 'The role of the signed-in operator.',
    answers: { 200: z.object({ role: roleCode }) },
  },
  signOut: {
    method: 'POST',
    path: '/api/operator/sessions',
    access: 'all',
    beforeSecondFactor: true,
    summary: 'Ends the session at once.',
    answers: { 204: true },
  },
  oktaConfig: {
    method: 'GET',
    path: '/api/operator/okta',
    access: 'public',
    summary: 'The identity provider used as second factor.',
    answers: { 200: oktaConfig },
  },
  completeSecondFactor: {
    method: 'POST',
    path: '/api/operator/okta',
    access: 'all',
    beforeSecondFactor: true,
    summary: 'Redeems the code of the identity provider; from then on the session may make every call of its role.',
    body: secondFactor,
    answers: { 200: operatorSession },
  },
  changePassword: {
    method: 'POST',
    path: '/api/operator/changeOperatorPassword',
    access: 'all',
    summary: "Changes the caller's own password; all their other sessions end.",
    body: passwordChange,
    answers: { 204: true },
  },
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
    answers: { 200: operatorAccount },
  },
  changeOperator: {
    method: 'PUT',
    path: '/api/operator/operators/:id',
    access: 'super',
    summary: 'Changes an operator account; a new password or role ends its sessions.',
    params: operatorId,
    body: operatorChange,
    answers: { 200: operatorAccount },
  },
  deleteOperator: {
    method: 'DELETE',
    path: '/api/operator/operators/:id',
    access: 'super',
    summary: 'Removes an operator account and ends its sessions.',
    params: operatorId,
    answers: { 204: true },
  },
} as const satisfies Record<string, Route>
