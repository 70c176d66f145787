/** The English texts of errors are the contract's: this stands for their locale file. */
import { fieldErrorTexts, reasonTexts, refusals } from '@roomkeeper/contract'

export const englishErrors = { fields: fieldErrorTexts, reasons: reasonTexts, refusals }
