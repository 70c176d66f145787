import { ProblemError, type RefusalCode } from '@roomkeeper/contract'
import { useTranslation } from 'react-i18next'
import { textOf } from '#api/text-of-error.ts'

/** Failures that say nothing about the file: 'Wrong file' would send somebody looking in the wrong place. */
const notOfTheFile: readonly RefusalCode[] = [
  'storage-full',
  'too-large',
  'not-allowed',
  'database-unreachable',
  'database-busy',
  'object-store-refused',
]

/** @returns a function that gives the detail of a failed upload of an import. */
export function useFailureText(): (error: unknown) => string {
  const { t } = useTranslation('import')
  return (error) => {
    if (error instanceof TypeError) return textOf(error)
    if (!(error instanceof ProblemError)) return t('wrong.file')
    const code = error.code as RefusalCode
    if (code === 'wrong-file-content') return t('wrong.content')
    if (code === 'no-upload-content') return t('wrong.empty')
    return notOfTheFile.includes(code) ? textOf(error) : t('wrong.file')
  }
}
