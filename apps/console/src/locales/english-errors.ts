/**
 * The English texts of errors, in place of a locale file: they are the contract's. This object is not in the contract
 * itself, where it would make every page load the texts, although the server has the same object.
 */
import { fieldErrorTexts, otherAnswers, reasonTexts, refusals } from '@roomkeeper/contract'

export const englishErrors = { fields: fieldErrorTexts, reasons: reasonTexts, refusals, otherAnswers }
