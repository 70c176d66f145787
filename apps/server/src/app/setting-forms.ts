/** The forms that values of settings have, and what is thrown when one has not. */
import { z } from 'zod'

/** Its message is the line to print. */
export class WrongSetting extends Error {}

export const flag = z.enum(['0', '1']).transform((text) => text === '1')
export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,10}$/)
    .transform(Number)
    .pipe(z.int().min(min).max(max))
