/** The location of an object in an object store (S3), with everything that a region needs to reach it. */
import { z } from 'zod'

const endpoint = z
  .url({ protocol: /^https?$/, error: 'endpoint must be an http or https address.' })
  .max(2048)
  .refine((url) => URL.canParse(url) && new URL(url).username === '', 'endpoint must not hold a user name.')
  .nullable()

/** A region keeps the credentials only while the job runs, and never puts them in its job records, logs or answers. */
export const objectStoreLocation = z
  .object({
    /** Such as `https://s3.eu-central-1.amazonaws.com`; null: Amazon's endpoint of `region`. */
    endpoint,
    /** The region code of the object store. */
    region: z.string().regex(/^[a-z0-9-]{1,100}$/, 'region must consist of lowercase letters, digits and hyphens.'),
    bucket: z.string().regex(/^[a-z0-9][a-z0-9.-]{2,62}$/, 'bucket must be 3 to 63 of a-z, 0-9, dot and hyphen.'),
    key: z
      .string()
      .regex(/^\S{1,1024}$/, 'key must be 1 to 1024 characters without spaces.')
      .refine((key) => !key.split('/').some((step) => step === '.' || step === '..'), 'key must not climb.'),
    accessKey: z.string().min(1).max(256),
    secretKey: z.string().min(1).max(1024),
    /** Null or empty: none. */
    sessionToken: z.string().max(8192).nullable(),
  })
  .transform((location) => ({
    ...location,
    endpoint: location.endpoint ?? `https://s3.${location.region}.amazonaws.com`,
    sessionToken: location.sessionToken ?? '',
  }))
export type ObjectStoreLocation = z.output<typeof objectStoreLocation>
