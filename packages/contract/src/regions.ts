/** Regions: the server installations that host rooms. */
import { z } from 'zod'
import { coded } from './field-errors.ts'
import { accepted } from './operations.ts'
import { inNfc, refuseUnlessKey, refuseUnlessName } from './plain-text.ts'
import type { Route } from './route.ts'
import { fieldsOf, ignoring } from './unknown-fields.ts'
import { regionStateCode } from './wire-codecs.ts'

const productLabels = z.array(z.enum(['ARIS', 'MINING', 'ENTERPRISE']))

/**
 * `other-server`: a server other than the registered one answers at the region's address. Nothing is sent to it but the
 * sign-in, which precedes reading its instance id. `registered-twice`: another region is the same server.
 */
export const regionWarnings = ['other-server', 'registered-twice'] as const

/** What the newest call to a region has shown. `unreachable`: it does not answer. */
export const regionHealths = ['answers', 'unreachable', 'refuses-login'] as const
export type RegionHealth = (typeof regionHealths)[number]

/**
 * `maxNumOfTenants` -1 is unlimited. `numberOfProjectRooms` counts rooms in any state and moves in flight. The server
 * learns `softwareVersion` and `health` from calls that it makes anyway.
 */
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
  warning: z.enum(regionWarnings).nullable(),
  /** Grows with each change of the settings. */
  version: z.int(),
  /** Of the region server; null: not known yet. */
  softwareVersion: z.string().nullable(),
  /** Null: not called yet. */
  health: z.enum(regionHealths).nullable(),
  /** Since when it has this health. */
  healthSince: z.iso.datetime().nullable(),
})
export type Region = z.output<typeof region>

const maximumRooms = 2_147_483_646

const noSuchRegion = coded('region-unknown')
const regionId = z
  .int({ error: coded('region-to-select') })
  .min(1, noSuchRegion)
  .max(2_147_483_647, noSuchRegion)

const enterTexts = {
  regionIPorURL: coded('url-missing'),
  password: coded('superuser-password-missing'),
  passwordSystem: coded('system-password-missing'),
}

const settings = z.object({
  regionName: z
    .string({ error: coded('region-name-missing') })
    .overwrite(inNfc)
    .trim()
    .min(1, coded('region-name-missing'))
    .max(100)
    .superRefine(refuseUnlessName),
  regionIPorURL: z
    .string({ error: enterTexts.regionIPorURL })
    .trim()
    .overwrite((url) => url.replace(/^https?:/i, (scheme) => scheme.toLowerCase()))
    .regex(/^https?:\/\/[^\s/?#@]+\/?$/, coded('url-invalid'))
    .superRefine(refuseUnlessKey),
  userName: z
    .string()
    .overwrite(inNfc)
    .trim()
    .min(1, coded('user-name-missing'))
    .max(200)
    .superRefine(refuseUnlessName)
    .default('superuser'),
  password: z.string({ error: enterTexts.password }).min(1, enterTexts.password).max(1024),
  passwordSystem: z.string({ error: enterTexts.passwordSystem }).min(1, enterTexts.passwordSystem).max(1024),
  productVersion: productLabels
    .min(1, coded('product-missing'))
    .max(100, coded('products-too-many', { max: 100 }))
    .default(['ARIS']),
  selectedSourceRegion: z.array(regionId).max(1000).default([]),
  state: regionStateCode.default('enabled'),
  maxNumOfTenants: z
    .int({ error: coded('whole-number-missing') })
    .min(-1, coded('maximum-negative'))
    .max(maximumRooms, coded('number-too-large', { max: maximumRooms }))
    .default(-1),
})
const { shape } = settings

/** What a region holds, as it is shown and as it is sent. */
const regionFields = ['id', ...fieldsOf(region), ...fieldsOf(settings)]

/** `maxNumOfTenants` -1 is unlimited. The server decides whether plain http is allowed for the URL. */
export const regionDraft = ignoring(settings, regionFields)
export type RegionDraft = z.output<typeof regionDraft>

/** Empty keeps the stored password. */
const keptPassword = z.string().max(1024).default('')

/**
 * The settings that change; the others stay as they are stored. The server answers 400 when the URL or the user name
 * changes and a password is empty: a stored password must not reach another host.
 */
export const regionChange = ignoring(
  z.object({
    id: regionId,
    /** The version that the change is based on; another one is stored: 409. Absent: not compared. */
    version: z.int().nullish(),
    regionName: shape.regionName.optional(),
    regionIPorURL: shape.regionIPorURL.optional(),
    userName: shape.userName.unwrap().optional(),
    productVersion: shape.productVersion.unwrap().optional(),
    selectedSourceRegion: shape.selectedSourceRegion.unwrap().optional(),
    state: shape.state.unwrap().optional(),
    maxNumOfTenants: shape.maxNumOfTenants.unwrap().optional(),
    password: keptPassword,
    passwordSystem: keptPassword,
    /** Accepts the other server that answers at the unchanged address as this region. */
    confirmOtherServer: z.boolean().default(false),
  }),
  regionFields,
)
export type RegionChange = z.output<typeof regionChange>

/**
 * The region to test: a new one, or a stored one (`id`), whose settings fill in for missing fields. Only the address
 * and the login matter, but callers may send a whole region draft.
 */
export const regionTest = ignoring(
  z
    .object({
      id: regionId.optional(),
      regionIPorURL: shape.regionIPorURL.optional(),
      userName: shape.userName.unwrap().optional(),
      password: keptPassword,
      passwordSystem: keptPassword,
    })
    .superRefine((test, context) => {
      if (test.id !== undefined) return
      for (const field of ['regionIPorURL', 'password', 'passwordSystem'] as const) {
        if (test[field] === undefined || test[field] === '')
          context.addIssue({ code: 'custom', path: [field], message: enterTexts[field] })
      }
    }),
  [...regionFields, 'confirmOtherServer'],
)
export type RegionTest = z.output<typeof regionTest>

/**
 * `version` is that of the region software. `latencyMs` is how long sign-in and status took together. `isOtherServer`:
 * the server is not the one registered for the stored region.
 */
export const regionTestResult = z.object({
  ok: z.literal(true),
  version: z.string(),
  products: productLabels,
  latencyMs: z.number(),
  isOtherServer: z.boolean(),
})
export type RegionTestResult = z.output<typeof regionTestResult>

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
    refuses: ['region-name-taken', 'server-registered'],
    answers: { 200: region },
  },
  changeRegion: {
    method: 'POST',
    path: '/api/operator/region',
    access: 'admin',
    summary:
      'Changes the given settings of a region. Empty passwords keep the stored ones, unless its URL or user name changes.',
    body: regionChange,
    partial: true,
    refuses: ['region-unknown', 'region-stale', 'region-name-used', 'server-registered', 'region-unreachable'],
    answers: { 200: region },
  },
  deleteRegion: {
    method: 'PUT',
    path: '/api/operator/region',
    access: 'admin',
    summary: 'Removes a region and its rooms from this system; the rooms on the region server stay.',
    body: ignoring(z.object({ id: regionId }), regionFields),
    refuses: ['region-unknown', 'region-in-migration', 'region-busy'],
    answers: { 204: true },
  },
  sourceRegions: {
    method: 'GET',
    path: '/api/operator/regions/source',
    access: 'all',
    summary: 'The regions to which new shop orders can be distributed.',
    answers: { 200: z.array(region) },
  },
  testRegion: {
    method: 'POST',
    path: '/api/operator/region/testConnection',
    access: 'admin',
    summary: 'Signs in to a region and asks what it is; 502 says exactly what failed.',
    body: regionTest,
    refuses: ['region-unknown', 'region-refused', 'server-registered'],
    answers: { 200: regionTestResult },
  },
  updateSystemDatabases: {
    method: 'POST',
    path: '/api/operator/updatesystemdball',
    access: 'admin',
    startsOperation: true,
    summary: 'Updates the system database of every project room.',
    refuses: ['update-running'],
    answers: { 202: accepted },
  },
  updateSystemDatabasesOfRegion: {
    method: 'POST',
    path: '/api/operator/updatesystemdb',
    access: 'admin',
    startsOperation: true,
    summary: 'Updates the system database of every project room of a region.',
    body: z.object({ regionId }),
    refuses: ['region-unknown', 'update-running'],
    answers: { 202: accepted },
  },
} as const satisfies Record<string, Route>
