import { z } from 'zod'

/**
 * How a CSV file is written. `programs`: as in RFC 4180, times in ISO 8601. For a double click in Excel, with a byte
 * order mark and times that Excel reads: `excel`, and `excel-semicolon` where the decimal mark is a comma, so that Excel
 * expects semicolons between cells.
 */
export const csvForm = z.enum(['programs', 'excel', 'excel-semicolon']).default('programs')
export type CsvForm = z.output<typeof csvForm>

export const csvSeparators: Readonly<Record<CsvForm, ',' | ';'>> = {
  programs: ',',
  excel: ',',
  'excel-semicolon': ';',
}
