import { useTranslation } from 'react-i18next'
import { useLeaveGuard } from '#ui/dialog/use-leave-guard.ts'

/** Asks before unsaved entries are left behind. */
export function useLeaveRoomForm(title: string, isNeeded: () => boolean): void {
  const { t } = useTranslation('form')
  useLeaveGuard({ isNeeded, title, text: t('leave.text'), stay: t('leave.stay'), leave: t('leave.discard') })
}
