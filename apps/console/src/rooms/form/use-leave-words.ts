import { useTranslation } from 'react-i18next'

/** The words of the question before unsaved entries are left behind. */
export function useLeaveWords(title: string) {
  const { t } = useTranslation('form')
  return { title, text: t('leave.text'), stay: t('leave.stay'), leave: t('leave.discard') }
}
