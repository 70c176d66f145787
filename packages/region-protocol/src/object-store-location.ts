/** The location of an object in an object store (S3), with everything that a region needs to reach it. */
import { z } from 'zod'

const endpoint = z
  .url({ protocol: /^https?$/, error: 'endpoint must be an http or https address.' })
  .max(2048)
  .refine((url) => URL.canParse(url) && new URL(url).username === '', 'endpoint must not hold a user name.')
  .nullable()
  .describe(
    "The address of the store (http or https, without a user name); null: Amazon's own, `https://s3.<region>.amazonaws.com`.",
  )

/** A region keeps the credentials only while the job runs, and never puts them in its job records, logs or answers. */
export const objectStoreLocation = z
  .object({
    endpoint,
    region: z
      .string()
      .regex(/^[a-z0-9-]{1,100}$/, 'region must consist of lowercase letters, digits and hyphens.')
      .describe('The region code of the object store, for signatures.'),
    bucket: z
      .string()
      .regex(/^[a-z0-9][a-z0-9.-]{2,62}$/, 'bucket must be 3 to 63 of a-z, 0-9, dot and hyphen.')
      .describe('The bucket, addressed by path (`<endpoint>/<bucket>/<key>`).'),
    key: z
      .string()
      .regex(/^\S{1,1024}$/, 'key must be 1 to 1024 characters without spaces.')
      .refine((key) => !key.split('/').some((step) => step === '.' || step === '..'), 'key must not climb.')
      .describe('The object: without spaces, and no part of it is `.` or `..`.'),
    accessKey: z.string().min(1).max(256).describe('A credential.'),
    secretKey: z.string().min(1).max(1024).describe('A credential.'),
    sessionToken: z.string().max(8192).nullable().describe('A credential; null or empty: none.'),
  })
  .transform((location) => ({
    ...location,
    endpoint: location.endpoint ?? `https://s3.${location.region}.amazonaws.com`,
    sessionToken: location.sessionToken ?? '',
  }))
export type ObjectStoreLocation = z.output<typeof objectStoreLocation>
