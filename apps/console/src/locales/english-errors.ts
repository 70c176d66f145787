/**
 * The English texts of errors are the contract's: this stands for their locale file. Not in the contract itself, although
 * the server has the same: there it would make every page load the texts.
 */
import { fieldErrorTexts, otherAnswers, reasonTexts, refusals } from '@roomkeeper/contract'

export const englishErrors = { fields: fieldErrorTexts, reasons: reasonTexts, refusals, otherAnswers }
