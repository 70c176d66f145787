/** Regions: the server installations that host rooms. */
import { z } from 'zod'
import type { Route } from './route.ts'
import { regionStateCode } from './wire-codes.ts'

const productLabels = z.array(z.enum(['ARIS', 'MINING', 'ENTERPRISE']))

/** Unlimited is -1; numberOfProjectRooms counts rooms in any state and moves in flight. */
export const region = z.object({
  regionId: z.int(),
  regionName: z.string(),
  regionIP: z.string(),
  selectedSourceRegion: z.array(z.int()),
  userName: z.string(),
  /** Product labels. */
  productVersion: productLabels,
  state: regionStateCode,
  maxNumOfTenants: z.int(),
  numberOfProjectRooms: z.int(),
  isMigrationTarget: z.boolean(),
})
export type Region = z.output<typeof region>

const maximumRooms = 2_147_483_646

/** Unlimited is -1. Whether plain http is allowed for the URL is the server's to decide. */
export const regionDraft = z.object({
  regionName: z
    .string({ error: 'Please enter the region name.' })
    .trim()
    .min(1, 'Please enter the region name.')
    .max(100),
  regionIPorURL: z
    .string({ error: 'Please enter the URL.' })
    .trim()
    .regex(/^https?:\/\/[^\s/?#@]+\/?$/, 'Please make sure you enter the correct URL format'),
  userName: z.string().trim().min(1, 'Please enter the user name.').max(200).default('superuser'),
  password: z
    .string({ error: 'Please enter the superuser password.' })
    .min(1, 'Please enter the superuser password.')
    .max(1024),
  passwordSystem: z
    .string({ error: 'Please enter the system password.' })
    .min(1, 'Please enter the system password.')
    .max(1024),
  productVersion: productLabels.min(1, 'Please select at least one product.').default(['ARIS']),
  selectedSourceRegion: z.array(z.int()).max(1000).default([]),
  state: regionStateCode.default('enabled'),
  maxNumOfTenants: z
    .int({ error: 'Please enter a whole number.' })
    .min(-1, 'It is not possible to set the maximum number of tenants to negative value')
    .max(maximumRooms, `At most ${maximumRooms}.`)
    .default(-1),
})
export type RegionDraft = z.output<typeof regionDraft>

export const regionRoutes = {
  regions: {
    method: 'GET',
    path: '/api/operator/regions',
    access: 'all',
    summary: 'All regions by id; never a password.',
    answers: { 200: z.array(region) },
  },
  createRegion: {
    method: 'POST',
    path: '/api/operator/regions',
    access: 'admin',
    summary: 'Adds a region. Its passwords are stored encrypted and never sent back.',
    body: regionDraft,
    answers: { 200: region },
  },
} as const satisfies Record<string, Route>
