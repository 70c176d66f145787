import { useTranslation } from 'react-i18next'
import { LeaveQuestion } from '#ui/LeaveQuestion.tsx'

interface LeaveDialogProps {
  title: string
  hasChanges: () => boolean
}

/** Asks before unsaved entries are left behind. */
export function LeaveDialog({ title, hasChanges }: LeaveDialogProps) {
  const { t } = useTranslation('form')
  return (
    <LeaveQuestion
      isNeeded={hasChanges}
      title={title}
      text={t('leave.text')}
      stay={t('leave.stay')}
      leave={t('leave.discard')}
    />
  )
}
