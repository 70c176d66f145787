/** Names that people give: they are one line and say what they show, also in a terminal and as actors of the audit trail. */
import { z } from 'zod'
import { coded } from './field-errors.ts'
import { inNfc, refuseUnlessName } from './plain-text.ts'

export const givenName = z
  .string({ error: coded('name-missing') })
  .overwrite(inNfc)
  .trim()
  .min(1, coded('name-missing'))
  .max(60, coded('at-most-characters', { max: 60 }))
  .superRefine(refuseUnlessName)

/** A password that exists already. */
export const givenPassword = z
  .string({ error: coded('password-missing') })
  .min(1, coded('password-missing'))
  .max(1024)
