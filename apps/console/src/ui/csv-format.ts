/** The format of CSV that was chosen in this browser, kept in local storage. */
import type { CsvForm } from '@roomkeeper/contract'
import i18next from 'i18next'
import { numberFormat } from '#locales/number-format.ts'

const key = 'roomkeeper.csv'

export function isCsvForExcel(): boolean {
  return localStorage.getItem(key) === 'excel'
}

export function setCsvForExcel(isForExcel: boolean): void {
  if (isForExcel) localStorage.setItem(key, 'excel')
  else localStorage.removeItem(key)
}

/** As the operator last chose; for Excel in the language of the console. */
export function chosenCsvFormat(): CsvForm {
  if (!isCsvForExcel()) return 'programs'
  return numberFormat(i18next.language).format(1.5).includes(',') ? 'excel-semicolon' : 'excel'
}
