/** Sessions of operators: signing in and out, the second factor, changing one's own password. */
import { z } from 'zod'
import { coded } from './field-errors.ts'
import { givenPassword } from './given-names.ts'
import { newPassword } from './operators.ts'
import { inNfc } from './plain-text.ts'
import type { Route } from './route.ts'
import { roleCode } from './wire-codecs.ts'

export const credentials = z.object({
  email: z
    .string({ error: coded('email-missing') })
    .overwrite(inNfc)
    .trim()
    .min(1, coded('email-missing'))
    .max(320),
  password: givenPassword,
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

/** `token` is the session's secret; all later calls send it in the `Authorization` header. */
export const signedIn = operatorSession.extend({ token: z.string() })

/** The identity provider for the second factor; `on` false: there is none. */
export const oktaConfig = z.object({ issuer: z.string(), clientId: z.string(), on: z.boolean() })

/** What the console's second-factor screen receives from the identity provider (code flow with PKCE). */
export const secondFactor = z.object({
  code: z.string().min(1).max(4096),
  codeVerifier: z.string().min(43).max(128),
  nonce: z.string().min(16).max(200),
  redirectUri: z.url().max(2048),
})
export type SecondFactor = z.output<typeof secondFactor>

export const passwordChange = z
  .object({
    oldPassword: givenPassword,
    newPassword,
    newPasswordReentered: newPassword,
  })
  .refine((change) => change.newPassword === change.newPasswordReentered, {
    path: ['newPasswordReentered'],
    message: coded('passwords-differ'),
  })

export const sessionRoutes = {
  signIn: {
    method: 'POST',
    path: '/api/operator/session',
    access: 'public',
    summary: 'Signs an operator in.',
    body: credentials,
    refuses: ['wrong-credentials', 'account-locked', 'too-many-attempts', 'too-many-calls'],
    answers: { 200: signedIn },
  },
  checkSession: {
    method: 'PUT',
    path: '/api/operator/session',
    access: 'all',
    sessionOnly: true,
    beforeSecondFactor: true,
    summary: 'Tells who is signed in; 401 when the session is over.',
    answers: { 200: operatorSession },
  },
  permissions: {
    method: 'POST',
    path: '/api/operator/permissions',
    access: 'all',
    sessionOnly: true,
    beforeSecondFactor: true,
    summary: 'The role of the signed-in operator.',
    answers: { 200: z.object({ role: roleCode }) },
  },
  signOut: {
    method: 'POST',
    path: '/api/operator/sessions',
    access: 'all',
    sessionOnly: true,
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
    sessionOnly: true,
    beforeSecondFactor: true,
    summary: 'Redeems the code of the identity provider; from then on the session may make every call of its role.',
    body: secondFactor,
    refuses: ['second-factor-off', 'second-factor-refused', 'too-many-attempts', 'identity-provider-unreachable'],
    answers: { 200: operatorSession },
  },
  changePassword: {
    method: 'POST',
    path: '/api/operator/changeOperatorPassword',
    access: 'all',
    sessionOnly: true,
    summary: "Changes the caller's own password; all their other sessions end.",
    body: passwordChange,
    refuses: ['wrong-old-password', 'too-many-attempts', 'too-many-calls'],
    answers: { 204: true },
  },
} as const satisfies Record<string, Route>
