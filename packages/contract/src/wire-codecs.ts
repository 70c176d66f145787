/** The codecs between the wire's numeric codes and the names inside. */
import { z } from 'zod'
import { coded } from './field-errors.ts'
import {
  editionCodes,
  namesOf,
  processTypeCodes,
  productCodes,
  regionStateCodes,
  roleCodes,
  salesChannelCodes,
} from './wire-codes.ts'

type UnknownCode =
  | 'product-unknown'
  | 'edition-unknown'
  | 'sales-channel-unknown'
  | 'role-unknown'
  | 'region-state-unknown'
  | 'process-type-unknown'

/** A number on the wire, a name inside. An unknown number is an ordinary validation issue. */
function codec<Name extends string>(unknown: UnknownCode, codes: Record<Name, number>) {
  const names = namesOf(codes)
  const byNumber = new Map(names.map((name) => [codes[name], name]))
  const known = names.map((name) => `${codes[name]} (${name})`).join(', ')
  const message = coded(unknown, { known })
  const number = z
    .int({ error: message })
    // For the OpenAPI document.
    .meta({ enum: names.map((name) => codes[name]), description: `${known}.` })
  return z.codec(number, z.enum(names), {
    decode: (code, context) => {
      const name = byNumber.get(code)
      if (name !== undefined) return name
      context.issues.push({
        code: 'custom',
        input: code,
        message,
        // For `readLeniently`.
        params: { known: codes[names[0] as Name] },
      })
      return z.NEVER
    },
    encode: (name) => codes[name],
  })
}

export const productCode = codec('product-unknown', productCodes)
export const editionCode = codec('edition-unknown', editionCodes)
export const salesChannelCode = codec('sales-channel-unknown', salesChannelCodes)
export const roleCode = codec('role-unknown', roleCodes)
export const regionStateCode = codec('region-state-unknown', regionStateCodes)
export const processTypeCode = codec('process-type-unknown', processTypeCodes)
