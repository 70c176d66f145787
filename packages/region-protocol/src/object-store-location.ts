/** The location of one object in an object store (S3), with everything that a region needs to reach it. */
import { z } from 'zod'

const endpoint = z
  .url({ protocol: /^https?$/, error: 'endpoint must be an http or https address.' })
  .max(2048)
  .refine((url) => URL.canParse(url) && new URL(url).username === '', 'endpoint must not hold a user name.')
  .nullable()

/** The region keeps the credentials only while the job runs; they are in no job, log, error or answer. */
export const objectStoreLocation = z
  .object({
    /** Such as `https://s3.eu-central-1.amazonaws.com`; null: Amazon's own for the region. */
    endpoint,
    /** The object store's own region. */
    region: z.string().regex(/^[a-z0-9-]{1,100}$/, 'region must consist of lowercase letters, digits and hyphens.'),
    bucket: z.string().regex(/^[a-z0-9][a-z0-9.-]{2,62}$/, 'bucket must be 3 to 63 of a-z, 0-9, dot and hyphen.'),
    key: z
      .string()
      .regex(/^\S{1,1024}$/, 'key must be 1 to 1024 characters without spaces.')
      .refine((key) => !key.split('/').some((step) => step === '.' || step === '..'), 'key must not climb.'),
    accessKey: z.string().min(1).max(256),
    secretKey: z.string().min(1).max(1024),
    /** null or empty: none. */
    sessionToken: z.string().max(8192).nullable(),
  })
  .transform((location) => ({
    ...location,
    endpoint: location.endpoint ?? `https://s3.${location.region}.amazonaws.com`,
    sessionToken: location.sessionToken ?? '',
  }))
export type ObjectStoreLocation = z.output<typeof objectStoreLocation>
