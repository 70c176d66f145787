/** API tokens: with one of them another program makes calls in the name of the operator who made it. */
import { z } from 'zod'
import { coded } from './field-errors.ts'
import { givenName } from './given-names.ts'
import type { Route } from './route.ts'
import { roleCode } from './wire-codecs.ts'
import { tokenStates } from './wire-codes.ts'

export const mostTokenDays = 365
export const usualTokenDays = 90
const mostNetworks = 50

export const tokenDraft = z.object({
  name: givenName,
  /** At most the role of who makes it. */
  role: roleCode,
  /** At most 365 days from now. Absent: in 90 days. */
  expiresAt: z.iso.datetime({ error: coded('must-be-time') }).optional(),
  /** Addresses and networks, such as `192.0.2.7` or `2001:db8::/32`, from which it may be used. Empty: from anywhere. */
  networks: z.array(z.string().trim().max(50)).max(mostNetworks).default([]),
})
export type TokenDraft = z.output<typeof tokenDraft>

/** Why a call with a known token was refused. */
export const tokenRefusals = ['expired', 'revoked', 'network'] as const
export type TokenRefusal = (typeof tokenRefusals)[number]

export const apiToken = z.object({
  id: z.uuid(),
  name: z.string(),
  /** What it was given. When its owner has a lower role now, that one counts. */
  role: roleCode,
  /** The e-mail address of the operator who made it. */
  owner: z.string(),
  isOwn: z.boolean(),
  networks: z.array(z.string()),
  state: z.enum(tokenStates),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  /** To the minute; null: never. */
  lastUsedAt: z.iso.datetime().nullable(),
  lastUsedFrom: z.string().nullable(),
  /** Calls that were refused since it was made, and the last of them; null: none. */
  refused: z
    .object({ times: z.int(), lastAt: z.iso.datetime(), lastFrom: z.string(), why: z.enum(tokenRefusals) })
    .nullable(),
})
export type ApiToken = z.output<typeof apiToken>

/** `token` is shown this once and never stored. */
export const madeToken = apiToken.extend({ token: z.string() })
export type MadeToken = z.output<typeof madeToken>

/** Who makes the call; `token` null: a session. */
export const whoCalls = z.object({
  email: z.string(),
  name: z.string(),
  /** What the call may do: for a token the lower one of its own and its owner's. */
  role: roleCode,
  token: z.object({ id: z.uuid(), name: z.string(), expiresAt: z.iso.datetime() }).nullable(),
})

export const tokenRoutes = {
  whoCalls: {
    method: 'GET',
    path: '/api/operator/caller',
    access: 'all',
    summary: 'Who makes this call, with which role, and with which token.',
    answers: { 200: whoCalls },
  },
  tokens: {
    method: 'GET',
    path: '/api/operator/tokens',
    access: 'all',
    sessionOnly: true,
    summary: 'The own API tokens, and for CLOUD_ADMINISTRATORs those of everybody, without their secrets.',
    answers: { 200: z.array(apiToken) },
  },
  createToken: {
    method: 'POST',
    path: '/api/operator/tokens',
    access: 'all',
    sessionOnly: true,
    summary: 'Makes an API token. The answer holds it this once.',
    body: tokenDraft,
    refuses: ['token-name-taken', 'too-many-tokens'],
    answers: { 200: madeToken },
  },
  revokeToken: {
    method: 'DELETE',
    path: '/api/operator/tokens/:id',
    access: 'all',
    sessionOnly: true,
    summary: 'Revokes an own API token, or, as a CLOUD_ADMINISTRATOR, one of another. It counts no more at once.',
    params: z.object({ id: z.uuid(coded('token-id-invalid')) }),
    refuses: ['token-unknown'],
    answers: { 204: true },
  },
} as const satisfies Record<string, Route>
