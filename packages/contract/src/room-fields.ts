/** Schemas of a project room's single fields, as forms send them. */
import { z } from 'zod'
import type { FieldErrorCode } from './field-error-texts.ts'
import { coded } from './field-errors.ts'
import { maximumLicenceCount } from './licences.ts'
import { asLine, asLines, inNfc } from './plain-text.ts'
import { licenceTypes } from './wire-codes.ts'

export const roomNamePattern = /^[a-z][a-z0-9]{2,23}$/
/** The same texts as `^(.+)@(.+)$`, which takes minutes for a long row of @ and a line break. */
export const emailPattern = /^.[^@\n\r\u2028\u2029]*@.+$/

export const roomName = z
  .string({ error: coded('room-name-missing') })
  .trim()
  .regex(roomNamePattern, coded('room-name-invalid'))

/** `2027-01-31T00:00:00.000Z` on the wire, `2027-01-31` inside: the last day (UTC) on which the room is valid. */
export const wireDate = z.codec(z.string(), z.iso.date(), {
  decode: (text, context) => {
    const found = /^(\d{4}-\d{2}-\d{2})(T00:00:00(\.000)?Z)?$/.exec(text)
    const day = found?.[1]
    if (day !== undefined && !Number.isNaN(Date.parse(`${day}T00:00:00Z`))) return day
    context.issues.push({
      code: 'custom',
      input: text,
      message: coded('must-be-date'),
    })
    return z.NEVER
  },
  encode: (day) => `${day}T00:00:00.000Z`,
})

/** The limits are only described here: the rules check them, because their messages differ from licence to licence. */
export const count = z.int({ error: coded('must-be-whole-number') }).meta({ minimum: 0, maximum: maximumLicenceCount })

export const licenceInformation = z.object({
  licenseKey: z.string().max(40),
  licenseAmount: count,
  licenseType: z.enum(licenceTypes),
})
export const subLicenceEntry = z.object({
  licenseKey: z.string().max(40),
  subLicenseAmount: count,
  /** The licence it belongs to. */
  productKey: z.string().max(40),
})
export type LicenceInformation = z.output<typeof licenceInformation>
export type SubLicenceEntry = z.output<typeof subLicenceEntry>

/** The error codes for required texts that are missing. */
type MissingText = Extract<FieldErrorCode, `${string}-missing`>

/**
 * What becomes of a text as it is typed. What identifies something is only brought into NFC: the rules package says which
 * characters it may not hold.
 */
type Tidy = (text: string) => string

const requiredText = (missing: MissingText, max: number, tidy: Tidy) =>
  z
    .string({ error: coded(missing) })
    .overwrite(tidy)
    .trim()
    .min(1, coded(missing))
    .max(max, coded('at-most-characters', { max }))
/** Absent, null and blank are all decoded to null. */
const textOrNull = (max: number, tidy: Tidy) =>
  z
    .codec(z.string().nullable(), z.string().max(max, coded('at-most-characters', { max })).nullable(), {
      decode: (value) => (value === null ? null : tidy(value).trim() || null),
      encode: (value) => value,
    })
    .default(null)

/** One line, required. */
export const text = (missing: MissingText) => requiredText(missing, 255, asLine)
export const optionalText = () => textOrNull(255, asLine)
export const optionalLines = (max: number) => textOrNull(max, asLines)
/** Tells one room from another. */
export const number = (missing: MissingText) => requiredText(missing, 255, inNfc)
export const email = (missing: MissingText) =>
  requiredText(missing, 320, inNfc).regex(emailPattern, coded('email-invalid'))
export const optionalEmail = textOrNull(320, inNfc).refine((value) => value === null || emailPattern.test(value), {
  error: coded('email-invalid'),
})
